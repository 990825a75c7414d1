/** What is remembered beside the records: by execution or invocation, native coin spent, and calls of unknown outcome. */
import {
	SpentValue,
	UNKNOWN_CALL_MINUTES,
	UnknownCalls,
} from '../../../../nodes/WalletService/writes/memory/process-memory.ts';
import { ScopedMap } from '../../../../nodes/WalletService/writes/memory/write-records.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let now = 0;
beforeEach(() => {
	now = 1_000_000;
	jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => jest.restoreAllMocks());

describe('by scope', () => {
	let values: ScopedMap<number>;
	const found = (scope: string | object) => values.find(scope)?.get('n');
	beforeEach(() => (values = new ScopedMap(10)));

	test('an execution is kept for a time after it was last active', () => {
		values.active('a').set('n', 1);
		now += 5;
		values.active('b').set('n', 2);
		now += 5;
		expect(values.active('a').get('n')).toBe(1);
		now += 5;
		values.active('c');
		expect([found('a'), found('b')]).toEqual([1, 2]);
		now += 1;
		values.active('c');
		expect([found('a'), found('b')]).toEqual([1, undefined]);
	});

	test('finding forgets nothing, and an invocation lives as long as its own object', () => {
		const call = {};
		for (const scope of ['a', call]) values.active(scope).set('n', 1);
		now += 1000;
		expect(found('a')).toBe(1);
		values.active({});
		expect([found('a'), found(call), found({})]).toEqual([undefined, 1, undefined]);
	});
});

describe('native coin spent', () => {
	let spent: SpentValue;
	beforeEach(() => (spent = new SpentValue()));

	test('is counted by execution or invocation, and by credential', () => {
		const call = {};
		spent.add('1', [['one', 7n]]);
		spent.add('1', [['other', 1n]]);
		spent.add('1', [['one', -2n]]);
		spent.add(call, [['one', 3n]]);
		const sums = [spent.of('1').get('one'), spent.of('1').get('other'), spent.of('2').get('one')];
		expect(sums).toEqual([5n, 1n, undefined]);
		expect([spent.of(call).get('one'), spent.of({}).get('one')]).toEqual([3n, undefined]);
	});

	test('is kept for thirty days after the last payment of the execution', () => {
		spent.add('1', [['one', 7n]]);
		now += 30 * DAY;
		spent.add('2', [['one', 1n]]);
		expect(spent.of('1').get('one')).toBe(7n);
		spent.add('1', [['one', 1n]]);
		now += 30 * DAY;
		spent.add('2', [['one', 1n]]);
		expect(spent.of('1').get('one')).toBe(8n);
		now += 1;
		spent.add('2', [['one', 1n]]);
		expect([spent.of('1').get('one'), spent.of('2').get('one')]).toEqual([undefined, 3n]);
	});

	test('takes no memory for a write without value', () => {
		spent.add('1', [['one', 7n]]);
		now += 31 * DAY;
		spent.add('2', [['one', 0n]]);
		expect(spent.of('1').get('one')).toBe(7n);
	});
});

describe('calls of unknown outcome', () => {
	const call = { reason: 'cut', hashes: ['0xa'] };
	let calls: UnknownCalls;
	beforeEach(() => (calls = new UnknownCalls()));

	test('are blocked for the stated time, and no other call is', () => {
		calls.set('pay', call, 1000);
		expect(calls.get('pay', 1000)).toMatchObject(call);
		expect(calls.get('pay', 999 + UNKNOWN_CALL_MINUTES * MINUTE)).toMatchObject(call);
		expect(calls.get('pay', 1000 + UNKNOWN_CALL_MINUTES * MINUTE)).toBeUndefined();
		expect(calls.get('pay more', 1000)).toBeUndefined();
	});

	test('are blocked from the last sending on, until an answer', () => {
		calls.set('pay', call, 0);
		calls.set('pay', call, 30 * MINUTE);
		expect(calls.get('pay', 80 * MINUTE)).toMatchObject(call);
		calls.delete('pay');
		expect(calls.get('pay', 80 * MINUTE)).toBeUndefined();
	});

	test('make room when their time is over; the newest always stay', () => {
		for (let index = 0; index < 100_001; index++) calls.set(String(index), call, index);
		const held = ['0', '1', '100000'].map((key) => calls.get(key, 100_001) !== undefined);
		expect(held).toEqual([false, true, true]);
	});
});
