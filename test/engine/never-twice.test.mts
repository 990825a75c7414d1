/** A write is not sent twice when n8n runs the node again, and two runs of a loop are two writes. */
import type { INode } from 'n8n-workflow';

import type { EngineResult } from './support/engine.mts';
import { Engine, NODE, startNode, walletServiceNode } from './support/engine.mts';
import { Service } from '../support/sandbox/service.mts';
import { useResources } from '../support/resources.mts';

let engine: Engine;
let service: Service;

const resources = useResources();
beforeAll(async () => {
	[engine, service] = await Promise.all([Engine.create(), resources.use(Service.start())]);
});
afterEach(async () => await service.faults.reset());

const items = [0, 1, 2, 3, 4].map((number) => ({ number }));
const retryOnFail: Partial<INode> = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };

const write = (resendWhenUnknown = false) => ({
	resource: 'contract',
	functionSource: 'signature',
	operation: 'write',
	argumentsMode: 'json',
	contractAddress: service.contracts.shapes,
	abi: 'store(uint256)',
	args: '={{ [String($json.number)] }}',
	options: { resendWhenUnknown },
});

async function transactionsOf(work: () => Promise<unknown>): Promise<number> {
	const { address } = service.user();
	const before = await service.chain.getTransactionCount(address);
	await work();
	return (await service.chain.getTransactionCount(address)) - before;
}

test('Retry on Fail sends what failed, and replays what was answered', async () => {
	await service.faults.add({ kind: 'failed', skip: 3, times: 1, params: { error: 'try again' } });
	let result: EngineResult | undefined;
	const count = await transactionsOf(async () => {
		result = await engine.run({
			parameters: write(),
			credential: service.credential(),
			items,
			node: retryOnFail,
		});
	});
	expect(count).toBe(5);
	expect(result?.error).toBeUndefined();
	expect(result?.items.map(({ json }) => json.replayed)).toEqual([
		true,
		true,
		true,
		undefined,
		undefined,
	]);
	const stored = await Promise.all(
		(result?.items ?? []).map(async ({ json }) => {
			const transaction = await service.chain.getTransaction(String(json.hash));
			return Number(BigInt(`0x${transaction?.data.slice(10)}`));
		}),
	);
	expect(stored).toEqual([0, 1, 2, 3, 4]);
});

test.each([
	{ resend: false, transactions: 3, requests: 3 },
	{ resend: true, transactions: 6, requests: 6 },
])(
	'a write of unknown outcome is sent again only when asked to ($resend)',
	async ({ resend, transactions, requests }) => {
		await service.faults.add({ kind: 'drop-after', skip: 2, times: 1 });
		const count = await transactionsOf(async () => {
			const { error } = await engine.run({
				parameters: write(resend),
				credential: service.credential(),
				items,
				node: retryOnFail,
			});
			if (resend) expect(error).toBeUndefined();
			else expect(error?.message).toContain('Not sent again');
		});
		expect(count).toBe(transactions);
		expect(await service.faults.requests()).toHaveLength(requests);
	},
);

test('two executions of the same workflow are two writes', async () => {
	const run = async () =>
		await engine.run({
			parameters: write(),
			credential: service.credential(),
			items: [{ number: 1 }],
		});
	expect(await transactionsOf(async () => [await run(), await run()])).toBe(2);
});

test('two equal items are two writes', async () => {
	const count = await transactionsOf(
		async () =>
			await engine.run({
				parameters: write(),
				credential: service.credential(),
				items: [{ number: 1 }, { number: 1 }],
				node: retryOnFail,
			}),
	);
	expect(count).toBe(2);
});

test('a loop that comes to the same item twice writes twice', async () => {
	const loop: INode = {
		id: 'loop',
		name: 'Loop',
		type: 'n8n-nodes-base.splitInBatches',
		typeVersion: 3,
		position: [100, 0],
		parameters: { batchSize: 1 },
	};
	const to = (node: string) => [{ node, type: 'main' as const, index: 0 }];
	const same = { ...write(), args: '["5"]' };
	const count = await transactionsOf(async () => {
		const run = await engine.runWorkflow(
			[startNode(), loop, walletServiceNode(same, retryOnFail)],
			{
				Start: { main: [to('Loop')] },
				Loop: { main: [[], to(NODE)] },
				[NODE]: { main: [to('Loop')] },
			},
			service.credential(),
			[{ number: 5 }, { number: 5 }, { number: 5 }],
		);
		expect(run.data.resultData.error).toBeUndefined();
		expect(run.data.resultData.runData[NODE]).toHaveLength(3);
	});
	expect(count).toBe(3);
});
