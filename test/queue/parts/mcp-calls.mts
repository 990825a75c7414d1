/** Calls of an MCP client, which n8n passes to the workers: each is paid once, also the same call at the same moment. */
import { readObject, readObjects, readText } from '../../../tools/files/json.mts';
import { connectClient } from '../../support/n8n/mcp-client.mts';
import { mintedTo, mintItems } from '../../support/n8n/minting.mts';
import { publishNew } from '../../support/n8n/published.mts';
import { mcpWorkflow } from '../../support/n8n/tools-of-models.mts';
import { contractCall } from '../../support/n8n/workflow.mts';
import { startsOfEach } from '../support/account.mts';
import { cluster, KEPT, resources } from '../support/cluster.mts';

/** Calls at the same moment, each of another amount. */
const CALLS = 20;
const PLAIN = 'sandboxUser0001';
const MINT = 'mint(address to, uint256 amount)';

test.each([
	['that keeps writes', 'kept', KEPT],
	['that does not', 'service', PLAIN],
] as const)(
	'each is paid once at a service %s, and its answer has the hash of its own payment',
	async (_what, place, credential) => {
		const { chain, contracts } = cluster[place];
		const { to } = mintItems();
		const args = `={{ ["${to}", $fromAI('amount', 'Amount', 'string')] }}`;
		const tools = { Mint: contractCall('write', contracts.gold, MINT, args) };
		const id = `${place}Mcp`;
		await publishNew(cluster.client, [mcpWorkflow(id, { tools, credential })]);
		const client = await connectClient(resources, cluster.url, id);
		const call = async (amount: string) => {
			const { isError, content } = await client.callTool({ name: 'Mint', arguments: { amount } });
			const [part] = readObjects(content, 'the content');
			const text = readText(part?.text, 'the text');
			expect([isError, text]).toEqual([undefined, expect.stringContaining('"submitted":true')]);
			const [item] = readObjects(JSON.parse(text), 'the items');
			expect(item).not.toHaveProperty('replayed');
			return { amount, hash: readText(readObject(item, 'an item').hash, 'the hash') };
		};
		// Only a service that keeps writes gets such requests.
		const match = { method: 'PUT', path: '/v1/writes/.*' };
		await cluster[place].faults.add({ kind: 'drop-after', times: 2, match });
		const before = await startsOfEach(cluster.workers);
		const answers = [await call('1'), await call('2')];
		const amounts = Array.from({ length: CALLS }, (_, index) => String(3 + index));
		answers.push(...(await Promise.all(amounts.map(call))));
		const hashes = await mintedTo(chain, to);
		expect(hashes).toHaveLength(answers.length);
		expect(new Set(answers.map(({ hash }) => hash))).toEqual(new Set(hashes));
		for (const { amount, hash } of answers)
			expect(await chain.transaction(hash)).toMatchObject({ transfers: [{ to, value: amount }] });
		const after = await startsOfEach(cluster.workers);
		for (const [worker, starts] of after.entries())
			expect(starts).toBeGreaterThan(before[worker] ?? 0);
	},
);
