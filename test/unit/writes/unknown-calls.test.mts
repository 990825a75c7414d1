/** Calls of tools whose outcome nobody knows, and for how long they are refused. */
import {
	UNKNOWN_CALL_MINUTES,
	UnknownCalls,
} from '../../../nodes/WalletService/writes/unknown-calls.ts';

const MINUTE = 60_000;
const call = { reason: 'cut', hashes: ['0xa'] };

test('a call is barred for the stated time, and no other call is', () => {
	const calls = new UnknownCalls();
	calls.add('pay', call, 1000);
	expect(calls.find('pay', 1000)).toMatchObject(call);
	expect(calls.find('pay', 999 + UNKNOWN_CALL_MINUTES * MINUTE)).toMatchObject(call);
	expect(calls.find('pay', 1000 + UNKNOWN_CALL_MINUTES * MINUTE)).toBeUndefined();
	expect(calls.find('pay more', 1000)).toBeUndefined();
});

test('the time counts from the last sending, and an answer ends it', () => {
	const calls = new UnknownCalls();
	calls.add('pay', call, 0);
	calls.add('pay', call, 30 * MINUTE);
	expect(calls.find('pay', 80 * MINUTE)).toMatchObject(call);
	calls.delete('pay');
	expect(calls.find('pay', 80 * MINUTE)).toBeUndefined();
});

test('those that are over make room, and the newest always stay', () => {
	const calls = new UnknownCalls();
	for (let index = 0; index < 10_001; index++) calls.add(String(index), call, index);
	expect(calls.find('0', 10_001)).toBeUndefined();
	expect(calls.find('1', 10_001)).toMatchObject(call);
	expect(calls.find('10000', 10_001)).toMatchObject(call);
});
