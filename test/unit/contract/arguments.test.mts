/** Arguments: their form fields, encoding and look-ups, and the checks that a function suits a read or a write. */
import {
	argumentFieldsOf,
	argumentsFromFields,
	encodeArguments,
} from '../../../nodes/WalletService/contract/arguments.ts';
import { assertCallable } from '../../../nodes/WalletService/contract/guards.ts';
import { parseSignature } from '../../../nodes/WalletService/contract/source/signature.ts';
import { refusalOf, rejectionOf } from '../support/refusal.mts';
import { resolveBy } from '../support/contract/resolve.mts';
import { list, OTHER, WALLET, WORD } from '../support/contract/samples.mts';

const encode = async (signature: string, args: unknown, resolve = resolveBy()) =>
	await encodeArguments(parseSignature(signature), args, 'args', resolve);

const PAY = 'f((address to, uint96 amount)[] pay)';
const PAID = list([WALLET, 1], [WALLET, 2], [WALLET, -1]);
const DEEP = list([true, 1], [true, 999]);
const TOO_FEW = /takes 2 values, but got 1.*to \(address\), n \(int8\)/;
const B_IS_MISSING = /"b" is missing.*a \(int8\), b \(bool\)/;

it.each<[string, unknown, string[]]>([
	...[[], undefined, '', {}, '[]'].map((none): [string, unknown, string[]] => ['f()', none, []]),
	['f(address,uint256)', [` ${OTHER}\n`, 1500000], [OTHER, '1500000']],
	['f(address,uint256)', `["${WALLET}", "1500000"]`, [WALLET, '1500000']],
	['f(address to, uint256 amount)', { amount: '1.5 gwei', to: WALLET }, [WALLET, '1500000000']],
	['f(address to, uint256)', { to: WALLET, 1: '20 gwei' }, [WALLET, '20000000000']],
	['f(uint256)', [{ type: 'BigNumber', hex: '0x16e360' }], ['1500000']],
	['f(int8)', [-128], ['-128']],
	['f(bool,bool)', [true, 'false'], ['true', 'false']],
	['f(bytes4)', [' 0xDEADbeef '], ['0xDEADbeef']],
	['f(string)', [' spaces stay '], [' spaces stay ']],
	['f(string)', ['["not", "json"]'], ['["not", "json"]']],
	['f(uint256[])', [['1', 2, '3 gwei']], ['["1","2","3000000000"]']],
	['f(uint256[])', ['["1", 2]'], ['["1","2"]']],
	['f(uint256[2][])', [['["1","2"]', ['3', '4']]], ['[["1","2"],["3","4"]]']],
	[PAY, [[{ amount: 5, to: WALLET }, [OTHER, '6']]], [`[["${WALLET}","5"],["${OTHER}","6"]]`]],
	['f((bool on, (bytes32)))', [{ on: true, 1: [WORD] }], [`[true,["${WORD}"]]`]],
	['f((uint256 __proto__) x)', [JSON.parse('{"__proto__":"1"}')], ['["1"]']],
])('encodeArguments: %s with %j', async (signature, args, expected) => {
	expect(await encode(signature, args)).toEqual(expected);
});

it.each<[string, unknown, string, RegExp]>([
	['f(uint8 level)', ['256'], 'level (uint8)', /above the range of uint8 Enter at most 255$/],
	['f(uint8 level)', ['-1'], 'level (uint8)', /below the range of uint8 Enter 0 or more$/],
	['f(int8)', ['128'], 'argument 1 (int8)', /above.*Enter at most 127$/],
	['f(int8)', ['-129'], 'argument 1 (int8)', /below.*Enter -128 or more$/],
	['f(int256)', [String(2n ** 255n)], 'argument 1 (int256)', /above.*at most 2\^255 - 1$/],
	['f(int256)', [`-${2n ** 255n + 1n}`], 'argument 1 (int256)', /below.*Enter -2\^255 or more$/],
	['f(uint256)', [String(2n ** 256n)], 'argument 1 (uint256)', /above.*at most 2\^256 - 1$/],
	['f(uint256)', [2 ** 53], 'argument 1 (uint256)', /cannot be read exactly.*in JSON, quotes/],
	[
		'f(uint256)',
		'[9007199254740993]',
		'argument 1 (uint256)',
		/cannot be read exactly.*in JSON, quotes/,
	],
	['f(uint256[])', ['[9007199254740993]'], 'argument 1[0] (uint256)', /cannot be read exactly/],
	['f(uint256)', '[1.0000000000000001]', 'argument 1 (uint256)', /decimal point but no unit/],
	['f(uint256[])', ['[123456789012.000001]'], 'argument 1[0] (uint256)', /decimal point/],
	['f(uint256 amount)', ['1.5'], 'amount (uint256)', /decimal point but no unit.*ether.*gwei/],
	['f(uint256)', [''], 'argument 1 (uint256)', /empty/],
	['f(bool ok)', ['yes'], 'ok (bool)', /not a boolean.*true or false/],
	['f(bool)', [1], 'argument 1 (bool)', /not a boolean/],
	['f(address to)', [WALLET.replace('d8d', 'd8D')], 'to (address)', /checksum/],
	['f(address to)', ['discord-1'], 'to (address)', /not an address/],
	['f(address to)', [`"${WALLET}"`], 'to (address)', /not an address Paste the address: /],
	['f(address to)', [`eth:${WALLET}`], 'to (address)', /names a network.*remove "eth:"/],
	['f(bytes32 role)', ['0x1234'], 'role (bytes32)', /2 bytes instead of 32.*64 hexadecimal/],
	['f(bytes)', ['0xabc'], 'argument 1 (bytes)', /odd number/],
	['f(bytes)', ['hello'], 'argument 1 (bytes)', /not hexadecimal/],
	['f(bytes)', [''], 'argument 1 (bytes)', /not hexadecimal/],
	['f(string)', [12], 'argument 1 (string)', /not text.*double quotes/],
	['f(string)', ['\ud800'], 'argument 1 (string)', /an invalid character/],
	['f(uint256[3])', [['1', '2']], 'argument 1 (uint256[3])', /2 elements instead of 3/],
	['f(uint256[])', [{}], 'argument 1 (uint256[])', /not a list/],
	['f(uint256[])', ['1,2'], 'argument 1 (uint256[])', /not JSON/],
	[PAY, [PAID], 'pay[2].amount (uint96)', /below the range/],
	['f(((bool, int8)[] a) deep)', [{ a: DEEP }], 'deep.a[1][1] (int8)', /above/],
	['f((int8 a, bool b) x)', [{ a: 1 }], 'x ((int8,bool))', B_IS_MISSING],
	['f((uint256 a) x)', [{ a: 1, c: 2 }], 'x ((uint256))', /Unknown entry "c"/],
	['f((uint256 a) x)', [{ toString: 1 }], 'x ((uint256))', /Unknown entry "toString"/],
	['f((uint256,bool) x)', [[1]], 'x ((uint256,bool))', /takes 2 values, but got 1/],
	['f((uint256,bool) x)', [7], 'x ((uint256,bool))', /neither a list nor an object/],
	['f(address to, int8 n)', [WALLET], 'args', TOO_FEW],
	['f()', [1], 'args', /takes 0 values, but got 1.*empty list/],
	['f(address to)', { To: WALLET }, 'args', /Unknown entry "To"/],
	['f(address to)', {}, 'args', /"to" is missing/],
	['f(uint256)', '{', 'args', /not JSON/],
	['f(uint256)', '"1"', 'args', /neither a list nor an object/],
	['f(uint256)', undefined, 'args', /takes 1 value, but got 0/],
])('encodeArguments: %s refuses %j', async (signature, args, parameter, explanation) => {
	const refusal = await rejectionOf(encode(signature, args));
	expect(refusal.parameter).toBe(parameter);
	expect(`${refusal.message} ${refusal.hint}`).toMatch(explanation);
});

it('encodeArguments takes a long list', async () => {
	const amounts = Array.from({ length: 20_000 }, (_, index) => String(index));
	expect(await encode('f(uint256[])', [amounts])).toEqual([JSON.stringify(amounts)]);
});

const signature = 'pay(address from, (address to, string note)[] payments, string memo)';
const payments = list(['EPIC_GAMES-a/b-c', 'GOOGLE-9'], [WALLET, ''], ['DISCORD-1', '']);
const args = ['DISCORD-1', payments, 'TWITTER-3'];
const addresses = new Map(Object.entries({ 'DISCORD-1': WALLET, 'EPIC_GAMES-a/b-c': OTHER }));

it('user IDs in place of addresses become addresses, only where an address belongs', async () => {
	const resolve = resolveBy({ addresses });
	const sent = list([OTHER, 'GOOGLE-9'], [WALLET, ''], [WALLET, '']);
	const encoded = [WALLET, JSON.stringify(sent), 'TWITTER-3'];
	expect(await encode(signature, args, resolve)).toEqual(encoded);
	expect(resolve.asked).toEqual(['DISCORD-1', 'EPIC_GAMES-a/b-c', 'DISCORD-1']);
});

it('user IDs in place of addresses are looked up for the argument that names them', async () => {
	const some = new Map([['DISCORD-1', WALLET]]);
	const encoding = encode(signature, args, resolveBy({ addresses: some }));
	const problem = 'payments[0].to (address): nobody knows EPIC_GAMES-a/b-c';
	await expect(encoding).rejects.toThrow(problem);
});

it('user IDs in place of addresses are not looked up behind an argument that is refused', async () => {
	const resolve = resolveBy({ addresses });
	await rejectionOf(encode('f(uint8,address)', ['256', 'DISCORD-1'], resolve));
	expect(resolve.asked).toEqual([]);
});

it('user IDs in place of addresses are checked if the service returns no address for them', async () => {
	const resolve = resolveBy({ addresses: new Map([['DISCORD-1', '0x']]) });
	const { message } = await rejectionOf(encode('f(address)', ['DISCORD-1'], resolve));
	expect(message).toMatch(/40/);
});

it('the fields of the form are labelled with their types, and have the right kind of input', () => {
	const signature =
		'f(uint256 amount, address recipient, bool ok, bytes, string[] names, (address to, uint96 n)[2] pay, (bool a) t, (bool,bool) u)';
	const fields = argumentFieldsOf(parseSignature(signature));
	expect(fields.map(({ id, displayName, type }) => [id, displayName, type])).toEqual([
		['amount (uint256)', 'amount (uint256)', 'string'],
		['recipient (address)', 'recipient (address)', 'string'],
		['ok (bool)', 'ok (bool)', 'boolean'],
		['argument 4 (bytes)', 'argument 4 (bytes)', 'string'],
		['names (string[])', 'names (string[])', 'array'],
		['pay ((address,uint96)[2])', 'pay ((address to, uint96 n)[2])', 'array'],
		['t ((bool))', 't ((bool a))', 'object'],
		['u ((bool,bool))', 'u ((bool, bool))', 'array'],
	]);
});

const fn = parseSignature('transfer(address to, uint256 amount)');

it('the fields of the form become arguments in order, without those of another function', () => {
	const values = { 'amount (uint256)': '5', 'owner (address)': 'x', 'to (address)': 'DISCORD-1' };
	expect(argumentsFromFields(fn, values)).toEqual(['DISCORD-1', '5']);
});

it('an untouched toggle of the form is off', () => {
	const approve = parseSignature('setApprovalForAll(address, bool ok)');
	for (const ok of [null, true]) {
		const fields = { 'argument 1 (address)': '0x', 'ok (bool)': ok };
		expect(argumentsFromFields(approve, fields)).toEqual(['0x', ok ?? false]);
	}
});

it.each([[{ 'to (address)': '0x' }], [{ 'to (address)': '0x', 'amount (uint256)': null }]])(
	'the fields of the form are named if they have no value: %j',
	(values) => {
		const { parameter } = refusalOf(() => argumentsFromFields(fn, values));
		expect(parameter).toBe('amount (uint256)');
	},
);

const PLACES = { function: 'abi', value: 'value' };

it.each(['f() view', 'f() pure', 'f()', 'f() external'])('a read takes %s', (signature) => {
	expect(() => assertCallable(parseSignature(signature), 'read', PLACES)).not.toThrow();
});

it.each([
	['f() nonpayable', 0n],
	['f() payable', 5n],
	['f()', 5n],
	['f() external', 5n],
])('a write takes %s with a value of %s', (signature, value) => {
	expect(() => assertCallable(parseSignature(signature), 'write', PLACES, value)).not.toThrow();
});

it.each([
	['f() view', 0n, 'abi', /Read/],
	['f() pure', 0n, 'abi', /Read/],
	['f() nonpayable', 1n, 'value', /Remove the option/],
])('a write refuses %s with a value of %s', (signature, value, parameter, hint) => {
	const refusal = refusalOf(() =>
		assertCallable(parseSignature(signature), 'write', PLACES, value),
	);
	expect(refusal).toMatchObject({ parameter, hint: expect.stringMatching(hint) });
});
