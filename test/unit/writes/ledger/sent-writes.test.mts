/** What a process counts of its writes: each one once, however often it is tried. */
import type { CountedWrite } from '../../../../nodes/WalletService/writes/ledger/sent-writes.ts';
import { SentWrites } from '../../../../nodes/WalletService/writes/ledger/sent-writes.ts';

const DAY = 24 * 60 * 60_000;

let now = 0;
let sent: SentWrites;
beforeEach(() => {
	now = 1_000_000;
	jest.spyOn(performance, 'now').mockImplementation(() => now);
	sent = new SentWrites();
});
afterEach(() => jest.restoreAllMocks());

const write = (state: CountedWrite['state'], amount: bigint, sum = 'coin'): CountedWrite => ({
	node: 'Pay',
	account: { key: 'token 1' },
	state,
	amounts: [[sum, amount]],
});
const note = (key: string, state: CountedWrite['state'] | 'refused', amount = 5n, scope = '1') =>
	sent.note(scope, key, state === 'refused' ? undefined : write(state, amount));
const sum = (scope: string | object = '1') => sent.sums(scope)?.get('coin');

test.each<[string, (CountedWrite['state'] | 'refused' | 'other')[], bigint | undefined]>([
	['is sent', ['begun', 'done'], 5n],
	['is on its way', ['begun'], 5n],
	['may have been sent', ['begun', 'unknown'], 5n],
	['may have been sent, and is tried again', ['begun', 'unknown', 'begun', 'unknown'], 5n],
	['may have been sent, and then is', ['begun', 'unknown', 'begun', 'done'], 5n],
	['is refused', ['begun', 'refused'], 0n],
	['may have been sent, and is decided not to be', ['begun', 'unknown', 'begun', 'refused'], 0n],
	['was sent, and its order comes again', ['begun', 'done', 'begun', 'other'], 5n],
	['was sent, and another call of its order is refused', ['begun', 'done', 'begun', 'refused'], 5n],
	['was sent by another execution', ['begun', 'other'], 0n],
	['was sent by its earlier try', ['begun', 'unknown', 'begun', 'other'], 5n],
])('a write that %s counts once at most', (_what, states, expected) => {
	for (const state of states) {
		if (state === 'other') sent.noteOfOther('1', 'a');
		else note('a', state);
	}
	expect(sum()).toBe(expected);
	note('b', 'done', 2n);
	expect(sum()).toBe((expected ?? 0n) + 2n);
});

test.each<[string, 'unknown' | 'done', bigint, bigint]>([
	['done, with more', 'done', 7n, 7n],
	['done, with less', 'done', 3n, 3n],
	['unknown, with more', 'unknown', 7n, 7n],
	['unknown, with less', 'unknown', 3n, 5n],
])('after an unknown outcome, a later try that is %s', (_what, state, amount, expected) => {
	note('a', 'unknown', 5n);
	note('a', state, amount);
	expect(sum()).toBe(expected);
});

test.each<[string, CountedWrite['state'], string, string, bigint]>([
	['may have been sent under it', 'unknown', 'key 1', 'token 1', 0n],
	['was sent under its next key', 'unknown', 'key 2', 'token 1', 5n],
	['is of another account', 'unknown', 'key 1', 'token 2', 5n],
	['was sent', 'done', 'key 1', 'token 1', 5n],
])(
	'after its service has taken a key out of use, a write that %s',
	(_what, state, key, account, left) => {
		sent.note('1', 'a', { ...write(state, 5n), key, account: { key: account } });
		sent.noteNeverSent('1', { key: 'token 1' }, new Set(['key 1']));
		expect(sum()).toBe(left);
	},
);

test('what may have been sent is decided thirty days later, too', () => {
	note('a', 'unknown');
	now += 29 * DAY;
	note('b', 'done', 1n, '2');
	note('a', 'done');
	expect(sum()).toBe(5n);
});

test('executions, invocations and sums are counted apart', () => {
	const call = {};
	note('a', 'done', 5n);
	sent.note(call, 'a', write('done', 3n));
	sent.note('1', 'b', write('done', 1n, 'token'));
	expect([sum('1'), sum(call), sum('2'), sum({})]).toEqual([5n, 3n, undefined, undefined]);
	expect(sent.sums('1')?.get('token')).toBe(1n);
	expect([...sent.all('1')]).toHaveLength(2);
});

test('sums are kept for thirty days after the last payment of an execution', () => {
	note('a', 'done', 5n);
	now += 30 * DAY;
	note('b', 'done', 1n, '2');
	expect(sum()).toBe(5n);
	now += 1;
	note('b', 'done', 0n, '3');
	expect(sum()).toBe(5n);
	note('c', 'done', 1n, '3');
	expect(sum()).toBeUndefined();
});
