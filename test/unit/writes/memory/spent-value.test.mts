/** Native coin sent by an execution, for the limit per execution: kept as long as the execution may go on. */
import { SpentValue } from '../../../../nodes/WalletService/writes/memory/memory.ts';

const DAY = 24 * 60 * 60 * 1000;

let now = 0;
beforeEach(() => {
	now = 1_000_000;
	jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => jest.restoreAllMocks());

test('it is counted by execution or invocation, and by credential', () => {
	const spent = new SpentValue();
	const call = {};
	spent.add('1', 'one', 7n);
	spent.add('1', 'other', 1n);
	spent.add('1', 'one', -2n);
	spent.add(call, 'one', 3n);
	expect([spent.of('1', 'one'), spent.of('1', 'other'), spent.of('2', 'one')]).toEqual([
		5n,
		1n,
		0n,
	]);
	expect([spent.of(call, 'one'), spent.of({}, 'one')]).toEqual([3n, 0n]);
});

test('it is kept for thirty days after the last payment of the execution', () => {
	const spent = new SpentValue();
	spent.add('1', 'one', 7n);
	now += 30 * DAY;
	spent.add('2', 'one', 1n);
	expect(spent.of('1', 'one')).toBe(7n);
	spent.add('1', 'one', 1n);
	now += 30 * DAY;
	spent.add('2', 'one', 1n);
	expect(spent.of('1', 'one')).toBe(8n);
	now += 1;
	spent.add('2', 'one', 1n);
	expect([spent.of('1', 'one'), spent.of('2', 'one')]).toEqual([0n, 3n]);
});

test('a write without value takes no memory', () => {
	const spent = new SpentValue();
	spent.add('1', 'one', 7n);
	now += 31 * DAY;
	spent.add('2', 'one', 0n);
	expect(spent.of('1', 'one')).toBe(7n);
});
