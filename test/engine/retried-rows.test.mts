/** Which payment answers an item of a Retry at a service that lists what was sent: section 4 of the law of writes. */
import type { IDataObject } from 'n8n-workflow';

import { forgetAll } from './support/forget.mts';
import { KeptWrites } from './support/kept-writes.mts';
import { readAgain } from './support/retried-runs.mts';
import { marksOf, replaysOf, rows } from './support/rows.mts';
import { CONTINUE, RETRY } from './support/use-node.mts';

const kept = new KeptWrites();
const { node } = kept;
const HOUR = 3_600_000;

afterEach(() => jest.restoreAllMocks());

const given = (options: IDataObject = {}) =>
	kept.pay('={{ $json.amount }}', { maxTries: 1, ...options });
const refuseOne = async (after: number) =>
	await kept.fault('PUT', { kind: 'failed', skip: after, times: 1 });

test('what was unknown is decided, and what was not reached is sent', async () => {
	await kept.fault('PUT', {
		kind: 'status-text',
		skip: 1,
		times: 1,
		params: { status: 500, afterWork: true },
	});
	await kept.fault('DELETE', { kind: 'drop-before', times: 1 });
	const [count, { items }] = await kept.transactionsOf(async () => {
		const { run: retryOf } = await node.run(given(), { items: rows('1', '2', '3') });
		return await node.run(given(), { retryOf });
	}, 3);
	expect(count).toBe(3);
	expect(replaysOf(items)).toEqual([true, true, false]);
});

test('a list that stops names the other payment in the place of a row, and nothing behind it', async () => {
	await refuseOne(1);
	const { run } = await node.run(given(), { items: rows('1', '2') });
	const [[hash = '']] = [node.log.writes().map((line) => /0x[0-9a-f]{64}/.exec(line)?.[0])];
	const retryOf = readAgain(run, rows('5', '2'));
	const [count, { error }] = await kept.transactionsOf(
		async () => await node.run(given(), { retryOf }),
	);
	expect(count).toBe(0);
	expect(error?.message).toContain('The retried execution paid something else for this item');
	expect(error?.message).not.toContain('an earlier run');
	expect(error?.message.split(hash)).toHaveLength(2);
	expect(error?.description).toMatch(/^Nothing was sent now\. /);
	const details = { outcome: 'refused', code: 'retry-conflict', hashes: [hash] };
	expect(error?.context.details).toMatchObject(details);
});

test.each([-HOUR, HOUR])(
	'nor is it paid by a Retry of such a Retry, if the clock of n8n is %d ms ahead of that of the service',
	async (aheadMs) => {
		const now = Date.now.bind(Date);
		jest.spyOn(Date, 'now').mockImplementation(() => now() + aheadMs);
		await refuseOne(1);
		const { run: retryOf } = await node.run(given(), { items: rows('1.25', '5') });
		const { resultData, executionData } = retryOf.data;
		// The first Retry has read the list again, and was cut off before this node.
		for (const read of resultData.runData.Start ?? []) read.startTime = Date.now() + 10_000;
		for (const stacked of executionData?.nodeExecutionStack ?? [])
			stacked.data = { main: [[{ json: { amount: '1.75' } }]] };
		// With the next write, the process forgets what it has sent two days before.
		forgetAll();
		await node.items(kept.write());
		const [count, { error }] = await kept.transactionsOf(
			async () => await node.run(given(), { retryOf }),
		);
		expect(count).toBe(0);
		expect(error?.context.details).toMatchObject({ code: 'retry-conflict' });
	},
);

test('no row is paid in whose place another was paid, which may answer a later pass of a loop', async () => {
	await refuseOne(1);
	const { run } = await node.run(given(), { items: rows('1', '5') });
	const [failed] = run.data.executionData?.nodeExecutionStack ?? [];
	if (failed === undefined) throw new Error('A Retry would run nothing');
	const retryOf = readAgain(run, rows('2'));
	const pass = { main: [rows('1').map((json) => ({ json }))] };
	const ofLoop = { node: { ...failed.node, ...CONTINUE }, data: pass, source: null };
	retryOf.data.executionData?.nodeExecutionStack.push(ofLoop);
	const [count, { items }] = await kept.transactionsOf(
		async () => await node.run(given(), { retryOf, node: CONTINUE }),
	);
	expect(replaysOf(items)).toEqual([true]);
	expect(count).toBe(0);
});

test('a Retry takes what it has sent for its own payment, although the values change with each attempt', async () => {
	await refuseOne(0);
	const changing = kept.write({ maxTries: 1 }, { args: '={{ [String($now.toMillis())] }}' });
	const { run } = await node.run(changing);
	await kept.fault('PUT', { kind: 'drop-after', times: 2 });
	await kept.fault('DELETE', { kind: 'drop-before', times: 2 });
	const [count, { error, items }] = await kept.transactionsOf(
		async () => await node.run(changing, { retryOf: readAgain(run, [{}]), node: RETRY }),
	);
	expect(error).toBeUndefined();
	expect(items[0]?.json).toMatchObject({ replayed: true, sentCall: {}, requestedCall: {} });
	expect(count).toBe(1);
});

test('what cannot be looked up while the run is decided is found in its turn', async () => {
	await refuseOne(2);
	const to = (name: 'mika_dev' | 'Rahul Sen') => node.service.user(name).id;
	const paid = { ...given(), recipient: '={{ $json.to }}' };
	const [first, second, third] = [
		{ amount: '1', to: to('Rahul Sen') },
		{ amount: '2', to: to('mika_dev') },
		{ amount: '3', to: to('Rahul Sen') },
	] as const;
	const [count, { items }] = await kept.transactionsOf(async () => {
		const { run } = await node.run(paid, { items: [first, second, third] });
		const retryOf = readAgain(run, [third, first, second]);
		forgetAll();
		const path = `/v1/users/${to('mika_dev')}`;
		await node.service.faults.add({ kind: 'status-text', times: 1, match: { path } });
		return await node.run(paid, { retryOf, node: CONTINUE });
	}, 3);
	expect(count).toBe(3);
	expect(replaysOf(items)).toEqual([false, true, true]);
});

test('an Order ID that was added before the Retry does not pay again', async () => {
	await refuseOne(1);
	const [count, { items }] = await kept.transactionsOf(async () => {
		const { run: retryOf } = await node.run(given(), { items: rows('1', '2') });
		const orderId = `={{ "added ${kept.number} " + $json.amount }}`;
		return await node.run(given({ orderId }), { retryOf });
	}, 2);
	expect(count).toBe(2);
	expect(replaysOf(items)).toEqual([true, false]);
});

test.each<[string, read: string, marks: unknown[], count: number]>([
	['another one, whatever its letters', 'ba', [false, true], 2],
	[
		'the equal payment of one that the Retry does not read again',
		'bc',
		['retry-conflict', false],
		2,
	],
])('an order is not answered by %s', async (_what, read, marks, count) => {
	await refuseOne(1);
	const paid = given({ orderId: '={{ $json.order }}' });
	const orders = (names: string) =>
		[...names].map((name) => ({ amount: '1', order: `März ${kept.number} ${name}` }));
	const [payments, { items }] = await kept.transactionsOf(async () => {
		const { run } = await node.run(paid, { items: orders('ab') });
		return await node.run(paid, { retryOf: readAgain(run, orders(read)), node: CONTINUE });
	}, count);
	const told = marksOf(items).map((mark, index) =>
		mark === true ? replaysOf(items)[index] : mark,
	);
	expect(told).toEqual(marks);
	if (marks.includes('retry-conflict'))
		expect(items[0]?.json.error).toContain('paid another order for this item');
	expect(payments).toBe(count);
});
