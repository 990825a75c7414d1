/** What is kept for each execution and invocation, and for how long. */
import { ByScope } from '../../../../nodes/WalletService/writes/memory/write-records.ts';

let now = 0;
beforeEach(() => {
	now = 1000;
	jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => jest.restoreAllMocks());

const byScope = () => new ByScope<number>(10);

test('an execution is kept for a time after it was last active', () => {
	const values = byScope();
	values.active('a').set('n', 1);
	now += 5;
	values.active('b').set('n', 2);
	now += 5;
	expect(values.active('a').get('n')).toBe(1);
	now += 5;
	values.active('c');
	expect([values.find('a')?.get('n'), values.find('b')?.get('n')]).toEqual([1, 2]);
	now += 1;
	values.active('c');
	expect([values.find('a')?.get('n'), values.find('b')]).toEqual([1, undefined]);
});

test('nothing is forgotten by looking only', () => {
	const values = byScope();
	values.active('a').set('n', 1);
	now += 1000;
	expect(values.find('a')?.get('n')).toBe(1);
	values.active({});
	expect(values.find('a')).toBeUndefined();
});

test('an invocation is found by its own object, as long as that lives', () => {
	const values = byScope();
	const call = {};
	values.active(call).set('n', 1);
	now += 1000;
	values.active('a');
	expect([values.find(call)?.get('n'), values.find({})]).toEqual([1, undefined]);
});
