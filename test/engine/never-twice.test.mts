/** A write is not sent twice when n8n runs the node again, and two runs of a loop are two writes. */
import type { INode } from 'n8n-workflow';

import { useService } from '../support/sandbox/service.mts';
import { storeCall } from './support/contract-calls.mts';
import { NODE, startNode, walletServiceNode } from './support/engine.mts';
import { RETRY, useNode } from './support/use-node.mts';

const node = useNode(useService());

const items = [0, 1, 2, 3, 4].map((number) => ({ number }));

const write = (resendWhenUnknown = false) =>
	storeCall(node.service.contracts.shapes, {
		args: '={{ [String($json.number)] }}',
		options: { resendWhenUnknown },
	});

async function transactionsOf(work: () => Promise<unknown>): Promise<number> {
	const { service } = node;
	const { address } = service.user();
	const before = await service.chain.getTransactionCount(address);
	await work();
	return (await service.chain.getTransactionCount(address)) - before;
}

test('Retry on Fail sends what failed, and replays what was answered', async () => {
	const { service } = node;
	await service.faults.add({ kind: 'failed', skip: 3, times: 1, params: { error: 'try again' } });
	const count = await transactionsOf(async () => {
		const { items: output, error } = await node.run(write(), { items, node: RETRY });
		expect(error).toBeUndefined();
		const replayed = output.map(({ json }) => json.replayed);
		expect(replayed).toEqual([true, true, true, undefined, undefined]);
		const stored = output.map(async ({ json }) => {
			const transaction = await service.chain.getTransaction(String(json.hash));
			return Number(BigInt(`0x${transaction?.data.slice(10)}`));
		});
		expect(await Promise.all(stored)).toEqual([0, 1, 2, 3, 4]);
	});
	expect(count).toBe(5);
});

test.each([
	[false, 3],
	[true, 6],
])('Resend When Unknown %j: a write whose answer was cut', async (resend, sent) => {
	const { service } = node;
	await service.faults.add({ kind: 'drop-after', skip: 2, times: 1 });
	const count = await transactionsOf(async () => {
		const { error } = await node.run(write(resend), { items, node: RETRY });
		expect(error?.message ?? '').toMatch(resend ? /^$/ : /Not sent again/);
	});
	expect(count).toBe(sent);
	expect(await service.faults.requests()).toHaveLength(sent);
});

test('two executions of the same workflow are two writes', async () => {
	const run = async () => await node.run(write(), { items: [{ number: 1 }] });
	expect(await transactionsOf(async () => [await run(), await run()])).toBe(2);
});

test('two equal items are two writes', async () => {
	const equal = [{ number: 1 }, { number: 1 }];
	const run = async () => await node.run(write(), { items: equal, node: RETRY });
	expect(await transactionsOf(run)).toBe(2);
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
		const run = await node.engine.runWorkflow(
			[startNode(), loop, walletServiceNode(same, RETRY)],
			{
				Start: { main: [to('Loop')] },
				Loop: { main: [[], to(NODE)] },
				[NODE]: { main: [to('Loop')] },
			},
			node.service.credential(),
			[{ number: 5 }, { number: 5 }, { number: 5 }],
		);
		expect(run.data.resultData.error).toBeUndefined();
		expect(run.data.resultData.runData[NODE]).toHaveLength(3);
	});
	expect(count).toBe(3);
});
