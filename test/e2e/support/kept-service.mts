/** What happens at the service that keeps writes. */
import type { FaultRequest } from '../../../sandbox/src/faults/fault.mts';
import type { JsonObject } from '../../../tools/files/json.mts';
import { KEPT, kept, n8n } from './shared-n8n.mts';

/** Programs a fault for the requests of a method about a write. */
export async function faultOfWrites(method: string, one: Omit<FaultRequest, 'match'>) {
	await kept.faults.add({ ...one, match: { method, path: '/v1/writes/.*' } });
}

/** The number of transactions of the credential's user. */
export const sent = async () => await kept.chain.getTransactionCount(kept.user().address);

/** Adds an example under another ID, with the credential of this service, changed or as it is. */
export async function createExample(
	id: string,
	newId: string,
	change = async (example: JsonObject): Promise<JsonObject> => await Promise.resolve(example),
): Promise<void> {
	const example = await change(await n8n.client.get(`/rest/workflows/${id}`));
	const nodes = JSON.stringify(example.nodes).replaceAll('sandboxUser0001', KEPT);
	await n8n.client.createWorkflow({ ...example, id: newId, nodes: JSON.parse(nodes) });
}
