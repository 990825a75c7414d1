import {
	assertKnownAccount,
	hasSentIn,
	noteExecution,
} from '../../../../nodes/WalletService/writes/retry/known-account.ts';
import { sentWrites } from '../../../../nodes/WalletService/writes/ledger/process-memory.ts';
import type { CountedWrite } from '../../../../nodes/WalletService/writes/ledger/sent-writes.ts';
import { isSameAccount } from '../../../../nodes/WalletService/writes/account.ts';

const at = (node: string, budget: string) => ({ isRetry: true, budget, place: { node } });
const check = (node: string, key: string, budget: string) => () =>
	assertKnownAccount(at(node, budget), { key }, false);

let budget = '';
let number = 0;
beforeEach(() => {
	budget = `execution ${(number += 1)}`;
	noteExecution({ isRetry: false, budget });
});
const note = (key: string, account: string, state: CountedWrite['state'] | 'refused') => {
	const write = { node: 'Pay', account: { key: account }, amounts: [] };
	sentWrites.note(budget, key, state === 'refused' ? undefined : { ...write, state });
};

test('each node of an execution keeps to its own account', () => {
	note('write 1', 'account 1', 'begun');
	note('write 1', 'account 1', 'done');
	expect(check('Pay', 'account 2', budget)).toThrow('has paid from another account');
	expect(check('Pay', 'account 1', budget)).not.toThrow();
	expect(check('Pay others', 'account 2', budget)).not.toThrow();
});

test('what is under way or unknown binds its node, and what was refused does not', () => {
	note('write 1', 'account 1', 'begun');
	expect(check('Pay', 'account 2', budget)).toThrow('another account');
	expect(hasSentIn(at('Pay', budget))).toBe(false);
	note('write 1', 'account 1', 'unknown');
	expect(hasSentIn(at('Pay', budget))).toBe(true);
	note('write 1', 'account 1', 'begun');
	expect(check('Pay', 'account 2', budget)).toThrow('another account');
	note('write 1', 'account 1', 'refused');
	expect(check('Pay', 'account 2', budget)).not.toThrow();
	expect(hasSentIn(at('Pay', budget))).toBe(false);
});

test('what was done stays so, whatever becomes of another request under the key of its order', () => {
	note('INV-1', 'account 1', 'begun');
	note('INV-1', 'account 1', 'done');
	note('INV-1', 'account 1', 'begun');
	note('INV-1', 'account 1', 'refused');
	expect(hasSentIn(at('Pay', budget))).toBe(true);
	expect(check('Pay', 'account 2', budget)).toThrow('another account');
});

test('an execution that this process has not run is not known', () => {
	expect(check('Pay', 'account 1', 'another')).toThrow('n8n was restarted');
	expect(() => assertKnownAccount(at('Pay', 'another'), { key: '1' }, true)).not.toThrow();
});

test.each([
	['equal tokens', { key: '1' }, { key: '1', user: 'A' }, true],
	['equal users', { key: '1', user: 'A' }, { key: '2', user: 'A' }, true],
	['other tokens', { key: '1', user: 'A' }, { key: '2' }, false],
	['other users', { key: '1', user: 'A' }, { key: '1', user: 'B' }, false],
])('%s: the account is the same: %#', (_what, one, other, isSame) => {
	expect(isSameAccount(one, other)).toBe(isSame);
	expect(isSameAccount(other, one)).toBe(isSame);
});
