/** Retry of an execution whose node has run, but of which n8n had saved nothing when it was killed. */
import type { IDataObject, IRun, ITaskData } from 'n8n-workflow';
import { forgetAll } from './support/forget.mts';
import { KeptWrites } from './support/kept-writes.mts';
import { CONTINUE, RETRY } from './support/use-node.mts';
import { otherNode } from './support/workflow-parts.mts';

const kept = new KeptWrites();
const { node } = kept;
const NAME = 'Wallet Service';
const HOUR = 3_600_000;

afterEach(() => jest.restoreAllMocks());

/** What n8n invents for a node without saved data, from its log of events: `ExecutionRecoveryService.amend` of n8n 2.41. */
const INVENTED: Record<string, Partial<ITaskData>> = {
	'had ended': {
		executionStatus: 'success',
		data: { main: [[{ json: { isArtificialRecoveredEventItem: true } }]] },
	},
	'had begun': { executionStatus: 'crashed', error: Object.assign(new Error('crashed')) },
};

/** The execution as n8n shows it after its restart. */
function recovered(run: IRun, invented: Partial<ITaskData>): IRun {
	const { resultData } = run.data;
	const task = { startTime: 1, executionIndex: 0, executionTime: 0, source: [null], ...invented };
	resultData.runData = { Start: resultData.runData.Start ?? [], [NAME]: [task as ITaskData] };
	// The last of the nodes in the order of the workflow's JSON, whichever ran last.
	resultData.lastNodeExecuted = 'Start';
	return run;
}

/** The execution, with a first step that returns these rows when it runs again. */
function withOtherRows(run: IRun, ...rows: IDataObject[]): IRun {
	const retryOf = recovered(run, INVENTED['had begun'] ?? {});
	retryOf.data.resultData.pinData = { Start: rows.map((json) => ({ json })) };
	const first = { node: otherNode('Start', 'n8n-nodes-base.manualTrigger') };
	const start = { ...first, data: { main: [[{ json: {} }]] }, source: null };
	retryOf.data.executionData?.nodeExecutionStack.splice(0, Infinity, start);
	return retryOf;
}

test.each(Object.keys(INVENTED))(
	'pays nothing again, although n8n counts a run that %s',
	async (how) => {
		const given = kept.pay('={{ $json.amount }}', {});
		const items = [{ amount: '1.25' }, { amount: '1.75' }];
		await kept.fault('PUT', { kind: 'failed', skip: 1, times: 1 });
		const [count, output] = await kept.transactionsOf(async () => {
			const { run } = await node.run(given, { items });
			const retryOf = recovered(run, INVENTED[how] ?? {});
			return await node.run(given, { items, retryOf });
		}, 2);
		expect(count).toBe(2);
		const [ofRetry] = output.run.data.resultData.runData[NAME]?.at(-1)?.data?.main ?? [];
		expect(ofRetry?.map(({ json }) => json.replayed)).toEqual([true, undefined]);
	},
);

test('takes no payment for another one that stands in its place when n8n reads the list again', async () => {
	const given = kept.pay('={{ $json.amount }}', {});
	const { run, items: paid } = await node.run(given, { items: [{ amount: '1.25' }] });
	const retryOf = withOtherRows(run, { amount: '1.75' });
	const [count, { error }] = await kept.transactionsOf(
		async () => await node.run(given, { retryOf }),
	);
	expect(count).toBe(0);
	expect(error?.message).toContain('The retried execution paid something else for this item');
	const { hash } = paid[0]?.json ?? {};
	expect(error?.message.split(String(hash))).toHaveLength(2);
	expect(error?.description).toMatch(/^Nothing was sent now\. /);
	const hashes = [hash];
	expect(error?.context.details).toMatchObject({
		outcome: 'refused',
		code: 'retry-conflict',
		hashes,
	});
});

test.each([-HOUR, 0, HOUR])(
	'nor in a Retry of such a Retry, if the clock of n8n is %d ms ahead of that of the service',
	async (aheadMs) => {
		const now = Date.now.bind(Date);
		jest.spyOn(Date, 'now').mockImplementation(() => now() + aheadMs);
		await kept.fault('PUT', { kind: 'failed', skip: 1, times: 1 });
		const given = kept.pay('={{ $json.amount }}', { maxTries: 1 });
		const items = [{ amount: '1.25' }, { amount: '5' }];
		const { run: retryOf } = await node.run(given, { items });
		const { resultData, executionData } = retryOf.data;
		// The first Retry has read the list again, and was cut off before this node.
		for (const read of resultData.runData.Start ?? []) read.startTime = Date.now() + 10_000;
		for (const stacked of executionData?.nodeExecutionStack ?? [])
			stacked.data = { main: [[{ json: { amount: '1.75' } }]] };
		// With the next write, the process forgets what it has sent two days before.
		forgetAll();
		await node.items(kept.write());
		const [count, { error }] = await kept.transactionsOf(
			async () => await node.run(given, { retryOf }),
		);
		expect(count).toBe(0);
		expect(error?.context.details).toMatchObject({ code: 'retry-conflict' });
	},
);

test('a list that stops names the other payment first, not the rows behind it', async () => {
	const given = kept.pay('={{ $json.amount }}', { maxTries: 1 });
	await kept.fault('PUT', { kind: 'failed', skip: 1, times: 1 });
	const { run } = await node.run(given, { items: [{ amount: '1' }, { amount: '2' }] });
	const retryOf = withOtherRows(run, { amount: '5' }, { amount: '2' });
	const [count, { error }] = await kept.transactionsOf(
		async () => await node.run(given, { retryOf }),
	);
	expect(count).toBe(0);
	expect(error?.context.details).toMatchObject({ outcome: 'refused', code: 'retry-conflict' });
	expect(error?.message).not.toContain('an earlier run');
});

test('takes what it has sent itself for its own payment, although the values change with each attempt', async () => {
	await kept.fault('PUT', { kind: 'failed', times: 1 });
	const given = kept.write({ maxTries: 1 }, { args: '={{ [String($now.toMillis())] }}' });
	const { run } = await node.run(given);
	const retryOf = withOtherRows(run, {});
	await kept.fault('PUT', { kind: 'drop-after', times: 2 });
	await kept.fault('DELETE', { kind: 'drop-before', times: 2 });
	const [count, { error, items }] = await kept.transactionsOf(
		async () => await node.run(given, { retryOf, node: RETRY }),
	);
	expect(error).toBeUndefined();
	expect(items[0]?.json).toMatchObject({ replayed: true, sentCall: {}, requestedCall: {} });
	expect(count).toBe(1);
});

describe('of a list that was read again, and continues after failures', () => {
	const given = () => kept.pay('={{ $json.amount }}', { maxTries: 1 });
	const rows = (...amounts: string[]) => amounts.map((amount) => ({ amount }));

	/** The failed first of some rows, and its Retry with others. */
	async function retry(first: string[], again: string[], before?: () => Promise<void>) {
		await kept.fault('PUT', { kind: 'failed', times: 1 });
		const { run } = await node.run(given(), { items: rows(...first), node: CONTINUE });
		const retryOf = withOtherRows(run, ...rows(...again));
		await before?.();
		return await kept.transactionsOf(
			async () => await node.run(given(), { retryOf, node: CONTINUE }),
		);
	}

	test('finds what has moved, and pays what was not paid', async () => {
		const [count, { items }] = await retry(['1', '2', '3', '4'], ['2', '2', '9', '3', '4']);
		expect(count).toBe(2);
		expect(items.map(({ json }) => json.replayed)).toEqual([
			undefined,
			true,
			undefined,
			true,
			true,
		]);
	});

	test('pays no row in whose place another was paid, which may answer a later pass of a loop', async () => {
		await kept.fault('PUT', { kind: 'failed', skip: 1, times: 1 });
		const { run } = await node.run(given(), { items: rows('1', '5') });
		const [failed] = run.data.executionData?.nodeExecutionStack ?? [];
		const retryOf = withOtherRows(run, { amount: '2' });
		const pass = { main: [rows('1').map((json) => ({ json }))] };
		if (failed !== undefined)
			retryOf.data.executionData?.nodeExecutionStack.push({
				node: { ...failed.node, ...CONTINUE },
				...{ data: pass, source: null },
			});
		const [count, output] = await kept.transactionsOf(
			async () => await node.run(given(), { retryOf, node: CONTINUE }),
		);
		const last = output.run.data.resultData.runData[NAME]?.at(-1)?.data?.main?.[0];
		expect(last?.[0]?.json.replayed).toBe(true);
		expect(count).toBe(0);
	});

	test('pays no row if the service does not list what was paid', async () => {
		const [count, { error, items }] = await retry(['1', '2'], ['2', '3'], async () => {
			await node.service.faults.add({ kind: 'drop-before', match: { path: '/v1/attempts' } });
		});
		expect(count).toBe(0);
		expect(error).toBeUndefined();
		const notSent = { code: 'not-sent-again', outcome: 'unknown' };
		expect(items.map(({ json }) => json.details)).toMatchObject([notSent, notSent]);
	});
});
