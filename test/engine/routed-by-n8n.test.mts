/**
 * n8n's own routing, for tools of agents before version 3 and of an MCP server, which do not support custom operations: it
 * runs the declared routes and returns the same items as those. For writes, see `laws-of-writes`.
 */
import { listOperations } from '../support/operations.mts';
import { documentedRuns, latestHash } from './support/documented-runs.mts';
import { useNode } from './support/use-node.mts';
import { useService } from '../support/sandbox/service.mts';

const node = useNode(useService({ SANDBOX_WRITE_KEYS: '1' }));

test.each(listOperations())('$title returns the same items', async ({ resource, operation }) => {
	const documented = documentedRuns(node.service, await latestHash(node.service));
	const runs = Object.values(documented).map(([parameters]) => parameters);
	const run = runs.find(
		(one) => one.resource === resource.value && one.operation === operation.value,
	);
	// A preview of the same write: a second one would be another transaction.
	const parameters = { ...run, preview: true };
	const [own, routed] = (await node.both(parameters, { items: [{}, {}] })).map(
		({ items, error }) => {
			expect(error).toBeUndefined();
			expect(items.length).toBeGreaterThanOrEqual(2);
			return items.map(({ json, pairedItem }) => [{ ...json, checkedAt: undefined }, pairedItem]);
		},
	);
	expect(routed).toEqual(own);
});
