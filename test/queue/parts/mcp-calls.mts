/** Calls of an MCP client, which n8n passes to the workers: each is paid once, unless both get the same one at the same moment. */
import { readObject, readObjects, readText, type JsonObject } from '../../../tools/files/json.mts';
import { connectClient } from '../../support/n8n/mcp-client.mts';
import { mintedTo, mintItems } from '../../support/n8n/minting.mts';
import { publishNew } from '../../support/n8n/published.mts';
import { mcpWorkflow } from '../../support/n8n/tools-of-models.mts';
import { contractCall } from '../../support/n8n/workflow.mts';
import { WRITE } from '../../support/sandbox/faults.mts';
import { startsOfEach } from '../support/account.mts';
import { cluster, KEPT } from '../support/cluster.mts';

/** Calls at the same moment: so many that both workers get some of them. */
const CALLS = 20;
const MINT = 'mint(address to, uint256 amount)';
const CREDENTIALS = { kept: KEPT, service: 'sandboxUser0001' };
type Place = keyof typeof CREDENTIALS;

/** A client whose calls mint to a wallet. @returns the only item of the answer to a call */
async function clientThatMints(place: Place, to: string, parameters: JsonObject = {}) {
	const args = `={{ ["${to}", $fromAI('amount', 'Amount', 'string')] }}`;
	const mint = contractCall('write', cluster[place].contracts.gold, MINT, args);
	const setup = {
		tools: { Mint: { ...mint, ...parameters } },
		credential: CREDENTIALS[place],
	};
	const id = to.slice(0, 16);
	await publishNew(cluster.client, [mcpWorkflow(id, setup)]);
	const client = await connectClient(cluster.resources, cluster.url, id);
	return async function call(amount: string): Promise<JsonObject> {
		const { isError, content } = await client.callTool({ name: 'Mint', arguments: { amount } });
		const [part] = readObjects(content, 'the content');
		const text = readText(part?.text, 'the text');
		expect([isError, text]).toEqual([undefined, expect.stringContaining('"hash":"0x')]);
		const [item] = readObjects(JSON.parse(text), 'the items');
		return readObject(item, 'an item');
	};
}

describe('calls of an MCP client, of which both workers take some', () => {
	let before: number[];

	beforeEach(async () => {
		before = await startsOfEach(cluster.workers);
	});

	afterEach(async () => {
		const after = await startsOfEach(cluster.workers);
		for (const [worker, starts] of after.entries())
			expect(starts).toBeGreaterThan(before[worker] ?? 0);
	});

	test.each([
		['that keeps writes', 'kept'],
		['that does not', 'service'],
	] as const)(
		'each is paid once at a service %s, and its answer has the hash of its own payment',
		async (_what, place) => {
			const { chain, faults } = cluster[place];
			const { to } = mintItems();
			const call = await clientThatMints(place, to);
			const pay = async (amount: string) => {
				const item = await call(amount);
				expect(item).toMatchObject({ submitted: true });
				expect(item).not.toHaveProperty('replayed');
				return { amount, hash: readText(item.hash, 'the hash') };
			};
			// Only a service that keeps writes gets such requests.
			const match = { method: 'PUT', path: '/v1/writes/.*' };
			await faults.add({ kind: 'drop-after', times: 2, match });
			const answers = [await pay('1'), await pay('2')];
			const amounts = Array.from({ length: CALLS }, (_, index) => String(3 + index));
			answers.push(...(await Promise.all(amounts.map(pay))));
			const hashes = await mintedTo(chain, to);
			expect(hashes).toHaveLength(answers.length);
			expect(new Set(answers.map(({ hash }) => hash))).toEqual(new Set(hashes));
			for (const { amount, hash } of answers)
				expect(await chain.transaction(hash)).toMatchObject({ transfers: [{ to, value: amount }] });
		},
	);

	// `docs/production.md`, *Not covered*.
	test.each([
		['that keeps writes', 'kept', {}, 2],
		['that keeps writes, as one order', 'kept', { orderId: 'One call' }, 1],
		['that does not', 'service', {}, 2],
	] as const)(
		'the same call at the same moment, at a service %s: each worker knows only its own, unless it is an order',
		async (_what, place, order, count) => {
			const { chain, faults } = cluster[place];
			const { to } = mintItems();
			const call = await clientThatMints(place, to, order);
			// Until both workers have looked for an equal call.
			await faults.add({
				kind: 'latency',
				params: { ms: 10_000 },
				times: 2,
				match: { path: `${WRITE}|/v1/writes/.*` },
			});
			const items = await Promise.all(Array.from({ length: CALLS }, async () => await call('1')));
			const hashes = await mintedTo(chain, to);
			expect(hashes).toHaveLength(count);
			expect(new Set(items.map(({ hash }) => hash))).toEqual(new Set(hashes));
		},
	);
});
