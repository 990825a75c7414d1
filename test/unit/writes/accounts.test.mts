import {
	assertKnownAccount,
	hasSentIn,
	noteAccount,
	noteExecution,
} from '../../../nodes/WalletService/writes/accounts.ts';

const at = (node: string, budget = 'execution 1') => ({ isRetry: true, budget, place: { node } });
const check = (node: string, account: string, budget?: string) => () =>
	assertKnownAccount(at(node, budget), account, false);

test('each node of an execution keeps to its own account', () => {
	noteExecution({ isRetry: false, budget: 'execution 1' });
	noteAccount(at('Pay'), 'account 1', 'begun');
	noteAccount(at('Pay'), 'account 1', 'sent');
	expect(check('Pay', 'account 2')).toThrow('has paid from another account');
	expect(check('Pay', 'account 1')).not.toThrow();
	expect(check('Pay others', 'account 2')).not.toThrow();
});

test('what is under way binds its node, and what was refused does not', () => {
	noteExecution({ isRetry: false, budget: 'execution 2' });
	const own = at('Pay', 'execution 2');
	noteAccount(own, 'account 1', 'begun');
	expect(check('Pay', 'account 2', 'execution 2')).toThrow('another account');
	noteAccount(own, 'account 1', 'refused');
	expect(check('Pay', 'account 2', 'execution 2')).not.toThrow();
	expect(hasSentIn(own)).toBe(false);
	noteAccount(own, 'account 2', 'begun');
	noteAccount(own, 'account 2', 'sent');
	expect(hasSentIn(own)).toBe(true);
	expect(check('Pay', 'account 1', 'execution 2')).toThrow('another account');
});

test('an execution that this process has not run is not known', () => {
	expect(check('Pay', 'account 1', 'execution 3')).toThrow('n8n was restarted');
	expect(() => assertKnownAccount(at('Pay', 'execution 3'), 'account 1', true)).not.toThrow();
});
