/** What is kept for each execution and invocation, the execution that was active last at the end. */
import { ByScope } from '../../../../nodes/WalletService/writes/memory/by-scope.ts';

test('an execution that is active again goes to the end', () => {
	const byScope = new ByScope<{ readonly n: number }>();
	byScope.keep('a', { n: 1 });
	byScope.keep('b', { n: 2 });
	byScope.keep('a', { n: 3 });
	expect([...byScope.executions]).toEqual([
		['b', { n: 2 }],
		['a', { n: 3 }],
	]);
	expect(byScope.find('a')).toEqual({ n: 3 });
});

test('an invocation is found by its own object, and is none of the executions', () => {
	const byScope = new ByScope<{ readonly n: number }>();
	const call = {};
	byScope.keep(call, { n: 1 });
	expect([byScope.find(call), byScope.find({})]).toEqual([{ n: 1 }, undefined]);
	expect(byScope.executions.size).toBe(0);
});
