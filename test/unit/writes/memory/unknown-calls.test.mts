/** Calls whose outcome nobody knows, and for how long they are blocked. */
import {
	UNKNOWN_CALL_MINUTES,
	UnknownCalls,
} from '../../../../nodes/WalletService/writes/memory/memory.ts';

const MINUTE = 60_000;
const call = { reason: 'cut', hashes: ['0xa'] };

test('a call is barred for the stated time, and no other call is', () => {
	const calls = new UnknownCalls();
	calls.set('pay', call, 1000);
	expect(calls.get('pay', 1000)).toMatchObject(call);
	expect(calls.get('pay', 999 + UNKNOWN_CALL_MINUTES * MINUTE)).toMatchObject(call);
	expect(calls.get('pay', 1000 + UNKNOWN_CALL_MINUTES * MINUTE)).toBeUndefined();
	expect(calls.get('pay more', 1000)).toBeUndefined();
});

test('the time counts from the last sending, and an answer ends it', () => {
	const calls = new UnknownCalls();
	calls.set('pay', call, 0);
	calls.set('pay', call, 30 * MINUTE);
	expect(calls.get('pay', 80 * MINUTE)).toMatchObject(call);
	calls.delete('pay');
	expect(calls.get('pay', 80 * MINUTE)).toBeUndefined();
});

test('those that are over make room, and the newest always stay', () => {
	const calls = new UnknownCalls();
	for (let index = 0; index < 100_001; index++) calls.set(String(index), call, index);
	expect(calls.get('0', 100_001)).toBeUndefined();
	expect(calls.get('1', 100_001)).toMatchObject(call);
	expect(calls.get('100000', 100_001)).toMatchObject(call);
});
