/** The calls that a credential allows or refuses, by rule and at each limit, and the fields of its form. */
import { checkedCall } from '../../../../nodes/WalletService/contract/call.ts';
import { parseSignature } from '../../../../nodes/WalletService/contract/source/signature.ts';
import { assertAllowed } from '../../../../nodes/WalletService/writes/policy/policy.ts';
import { readSpendingPolicy } from '../../../../nodes/WalletService/writes/policy/read-policy.ts';
import { open } from '../../support/policy/calls.mts';
import { refusalOf } from '../../support/refusal.mts';
import {
	spendingPolicyFields,
	spendingPolicyForm,
} from '../../../../nodes/WalletService/writes/policy/policy-fields.ts';

const TOKEN = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const OTHER = '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512';
const TRANSFER = 'transfer(address,uint256)';
const ETHER = 10n ** 18n;

const write = { address: TOKEN, signature: TRANSFER, value: ETHER };

function check(fields: object, planned: Partial<typeof write> = {}, spent = 0n): void {
	const { address, signature, value } = { ...write, ...planned };
	const call = { address, args: [], value: String(value) };
	const checked = checkedCall(parseSignature(signature), 'write', call, { resolvedAddresses: {} });
	const before = { value: spent, tokens: 0n };
	assertAllowed({ ...open, ...fields }, checked, before, { wallets: new Map() });
}

const expectRefused = (...given: Parameters<typeof check>) =>
	expect(refusalOf(() => check(...given)).code).toBe('policy-refused');

const both = [',', ';', '\n', ' , '].map((separator) => `${OTHER}${separator}${TOKEN}`);

const contracts = [TOKEN, TOKEN.toLowerCase(), ...both, ` ${TOKEN} ,`, `\n;${TOKEN}`];

test.each([...contracts, [OTHER, ` ${TOKEN} `]])('the contract is allowed by %j', (list) => {
	check({ allowedContracts: list });
	check({ allowedContracts: list }, { address: TOKEN.toLowerCase() });
});

test.each([
	...[TRANSFER, 'transfer(address to, uint256 amount)', '0xa9059cbb', '0xA9059CBB'],
	...[',', ';', '\n'].map((separator) => `approve(address,uint256)${separator}${TRANSFER}`),
	...['pay((address,uint256),uint8), 0xa9059cbb', ['0x095ea7b3', TRANSFER]],
])('the function is allowed by %j', (allowedFunctions) => {
	check({ allowedFunctions });
	check({ allowedFunctions }, { signature: 'transfer(address to, uint256 amount)' });
	expectRefused({ allowedFunctions }, { signature: 'other()' });
});

const NOT_LISTED = /,uint256\) \(0xa9059cbb\) is not in the list/;
const ABOVE_1_WEI =
	/sends 1 ether \(1000000000000000000 wei\); the limit is 0\.0{17}1 ether \(1 wei\)/;
const ABOVE_HALF =
	/already counts 0 ether \(0 wei\) and would send 1 ether .* more; the limit is 0\.5 ether/;

test.each([
	[{ allowWrites: false }, 'Allow Writes', /writes are switched off/],
	[{ allowedContracts: OTHER }, 'Allowed Contracts', new RegExp(`: ${TOKEN} is not in the list`)],
	[{ allowedFunctions: '0x095ea7b3' }, 'Allowed Functions', NOT_LISTED],
	[{ maxValuePerCall: '1 wei' }, 'Max Native Coin per Call', ABOVE_1_WEI],
	[{ maxValuePerExecution: '0.5 ether' }, 'Max Native Coin per Execution', ABOVE_HALF],
])('%j refuses, and names the rule "%s"', (fields, rule, why) => {
	const error = refusalOf(() => check(fields));
	expect(error.code).toBe('policy-refused');
	expect(error.message).toContain(`rule "${rule}"`);
	expect(error.message).toMatch(why);
	expect(error.hint).toMatch(
		/^Nothing was sent\. The owner of the credential can change this limit/,
	);
});

test.each(['maxValuePerCall', 'maxValuePerExecution'])(
	'%s is allowed, one wei more is not',
	(field) => {
		check({ [field]: '1 ether' });
		expectRefused({ [field]: '1 ether' }, { value: ETHER + 1n });
		check({ [field]: '0' }, { value: 0n });
		expectRefused({ [field]: '0' }, { value: 1n });
	},
);

test('earlier amounts count for the execution, not for the call', () => {
	check({ maxValuePerExecution: '3 ether', maxValuePerCall: '1 ether' }, {}, 2n * ETHER);
	const error = refusalOf(() => check({ maxValuePerExecution: '3 ether' }, {}, 2n * ETHER + 1n));
	expect(error.message).toContain('2.000000000000000001 ether');
});

test('empty fields set no limit', () => {
	check({}, { value: 10n ** 30n }, 10n ** 30n);
	check({ allowedContracts: [], allowedFunctions: ['', ''] }, { value: 10n ** 30n });
});

/** Text that remains around expressions that yield nothing. */
const BLANK = [' ', '\n', '\t', '\u00a0', '\ufeff', ' \r\n '];
const NO_LISTS = [undefined, null, 5, ',', ' ; ,', ...BLANK];
const NO_UNITS = [
	'10',
	'0xffffff',
	'0x1',
	'-5',
	'1e18',
	'0b11',
	'１０',
	'1 * 10^18',
	'5 base',
	'2 token',
];
const NO_LIMITS = [undefined, null, 5, ...NO_UNITS, ...BLANK];
const NO_CONTRACTS = ['SUSD', '0x12', TOKEN.replace('F', 'f')];
const NO_FUNCTIONS = ['send money', '0xa9059cb', '0xa9059cbb0', 'x0xa9059cbb'];

test.each([
	['allowWrites', ['true', 'false', 1, 0, null, undefined]],
	['allowedContracts', [...NO_LISTS, {}, [5], ...NO_CONTRACTS, [TOKEN, null], [','], [' ']]],
	['allowedFunctions', [...NO_LISTS, ...NO_FUNCTIONS, ['transfer', 5], ['', '\t']]],
	[
		'allowedRecipients',
		['DISCORD-1 DISCORD-2', 'DISCORD-1\tGOOGLE-2', `DISCORD-1 ${TOKEN}`, ['A-1 B-2']],
	],
	['maxValuePerCall', [...NO_LIMITS, ' 10 ', '0 ', '007', '1', '1.5', 'much', '-1 ether']],
	['maxValuePerExecution', [...NO_LIMITS, '1 wether']],
])('an unreadable policy forbids all writes: %s', (field, values) => {
	const name = spendingPolicyFields.find((one) => one.name === field)?.displayName;
	for (const value of values) {
		const fields = { ...open, [field]: value as never };
		const { code, parameter } = refusalOf(() => readSpendingPolicy(fields));
		const expected = { value, code: 'policy-unreadable', parameter: ['Credential', name] };
		expect({ value, code, parameter }).toEqual(expected);
	}
});

test.each(['0', '00', '0x0', '10 wei', '1 gwei', '0.5 ether', '0 ether'])(
	'%j is an amount for a limit',
	(maxValuePerCall) => {
		const policy = readSpendingPolicy({ ...open, maxValuePerCall });
		expect(policy.maxValuePerCall).toEqual(expect.any(BigInt));
	},
);

test('an unreadable list is named with what it should be', () => {
	const { message } = refusalOf(() => readSpendingPolicy({ ...open, allowedContracts: 5 }));
	expect(message).toContain('5 is not a list of text entries');
});

test('a limit with a comma is refused with the right form, in native coin', () => {
	const { hint } = refusalOf(() => readSpendingPolicy({ ...open, maxValuePerCall: '0,1' }));
	expect(hint).toBe('Write a decimal point, not a comma: 0.1 ether or 0.1 gwei');
});

test('the form shows all fields below a heading; empty they allow everything, and none hides another', () => {
	const [heading, ...fields] = spendingPolicyForm;
	expect(heading).toMatchObject({
		type: 'notice',
		displayName: expect.stringContaining('not per day'),
	});
	expect(fields).toEqual(spendingPolicyFields);
	const shape = fields.map((field) => [
		...[field.name, field.displayName, field.type, field.default, field.typeOptions?.rows],
	]);
	expect(shape).toEqual([
		['allowWrites', 'Allow Writes', 'boolean', true, undefined],
		['allowedRecipients', 'Allowed Recipients', 'string', '', 2],
		['amountLimits', 'Token Limits per Execution', 'string', '', 2],
		['allowedContracts', 'Allowed Contracts', 'string', '', 2],
		['allowedFunctions', 'Allowed Functions', 'string', '', 2],
		['maxValuePerCall', 'Max Native Coin per Call', 'string', '', undefined],
		['maxValuePerExecution', 'Max Native Coin per Execution', 'string', '', undefined],
	]);
	// n8n removes hidden fields from a credential, so their limits would be lost.
	expect(fields.filter((field) => 'displayOptions' in field)).toEqual([]);
});

test('the text of a limit is parsed once, and again when it has changed', () => {
	const fields = { allowWrites: true, allowedContracts: TOKEN, allowedFunctions: TRANSFER };
	const more = { allowedRecipients: OTHER, amountLimits: `5 ${TOKEN}` };
	const read = (changes: object = {}) =>
		readSpendingPolicy({
			...fields,
			...more,
			maxValuePerCall: '',
			maxValuePerExecution: '',
			...changes,
		});
	const { contracts, functions, recipients, tokenLimits } = read();
	const again = read();
	expect(again.contracts).toBe(contracts);
	expect(again.functions).toBe(functions);
	expect(again.recipients).toBe(recipients);
	expect(again.tokenLimits).toBe(tokenLimits);
	expect(read({ allowedRecipients: TOKEN }).recipients).toEqual([TOKEN.toLowerCase()]);
});
