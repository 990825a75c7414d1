import { encodeArguments } from '../../../nodes/WalletService/contract/arguments.ts';
import { parseSignature } from '../../../nodes/WalletService/contract/source/signature.ts';
import { rejectionOf } from '../support/refusal.mts';
import { resolveBy } from '../support/contract/resolve.mts';
import { list, OTHER, WALLET, WORD } from '../support/contract/samples.mts';

const encode = async (signature: string, args: unknown, resolve = resolveBy()) =>
	await encodeArguments(parseSignature(signature), args, 'args', resolve);

describe('encodeArguments', () => {
	it.each<[string, unknown, string[]]>([
		['f()', [], []],
		['f()', undefined, []],
		['f()', '', []],
		['f()', {}, []],
		['f()', '[]', []],
		['f(address,uint256)', [WALLET, '1500000'], [WALLET, '1500000']],
		['f(address,uint256)', [` ${OTHER}\n`, 1500000], [OTHER, '1500000']],
		['f(address,uint256)', `["${WALLET}", "1500000"]`, [WALLET, '1500000']],
		['f(address to, uint256 amount)', { amount: '1.5 gwei', to: WALLET }, [WALLET, '1500000000']],
		['f(address to, uint256)', { to: WALLET, 1: '20 gwei' }, [WALLET, '20000000000']],
		['f(uint256)', ['1.5 * 10^6'], ['1500000']],
		['f(uint256)', ['0x16e360'], ['1500000']],
		['f(uint256)', [{ type: 'BigNumber', hex: '0x16e360' }], ['1500000']],
		['f(uint256)', ['9007199254740993'], ['9007199254740993']],
		['f(int8)', [-128], ['-128']],
		['f(bool,bool)', [true, 'false'], ['true', 'false']],
		['f(bytes)', ['0x'], ['0x']],
		['f(bytes4)', [' 0xDEADbeef '], ['0xDEADbeef']],
		['f(string)', [' spaces stay '], [' spaces stay ']],
		['f(string)', ['["not", "json"]'], ['["not", "json"]']],
		['f(uint256[])', [['1', 2, '3 gwei']], ['["1","2","3000000000"]']],
		['f(uint256[])', ['["1", 2]'], ['["1","2"]']],
		['f(uint256[2][])', [['["1","2"]', ['3', '4']]], ['[["1","2"],["3","4"]]']],
		['f(string[])', [['a "b"', 'é']], ['["a \\"b\\"","é"]']],
		[
			'f((address to, uint96 amount)[] pay)',
			[[{ amount: 5, to: WALLET }, [OTHER, '6']]],
			[`[["${WALLET}","5"],["${OTHER}","6"]]`],
		],
		['f((bool on, (bytes32)))', [{ on: true, 1: [WORD] }], [`[true,["${WORD}"]]`]],
		['f((uint256 __proto__) x)', [JSON.parse('{"__proto__":"1"}')], ['["1"]']],
	])('%s with %j', async (signature, args, expected) => {
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
		['f(uint256)', [2 ** 53], 'argument 1 (uint256)', /exceeds 2\^53.*quotes in JSON/],
		['f(uint256)', '[9007199254740993]', 'argument 1 (uint256)', /exceeds 2\^53.*quotes in JSON/],
		['f(uint256[])', ['[9007199254740993]'], 'argument 1[0] (uint256)', /exceeds 2\^53/],
		['f(uint256)', [1.5], 'argument 1 (uint256)', /with a fraction/],
		['f(uint256)', '[1.0000000000000001]', 'argument 1 (uint256)', /decimal point but no unit/],
		['f(uint256[])', ['[123456789012.000001]'], 'argument 1[0] (uint256)', /decimal point/],
		['f(uint256 amount)', ['1.5'], 'amount (uint256)', /decimal point but no unit.*ether.*gwei/],
		['f(uint256 amount)', ['1.5 wei'], 'amount (uint256)', /1 decimal place wei has no decimal/],
		['f(uint256)', [''], 'argument 1 (uint256)', /empty/],
		['f(uint256)', [null], 'argument 1 (uint256)', /The amount is missing/],
		['f(uint256)', [true], 'argument 1 (uint256)', /not an amount/],
		['f(uint256)', [['1']], 'argument 1 (uint256)', /not an amount/],
		['f(bool ok)', ['yes'], 'ok (bool)', /not a boolean.*true or false/],
		['f(bool)', [1], 'argument 1 (bool)', /not a boolean/],
		['f(address to)', [WALLET.replace('d8d', 'd8D')], 'to (address)', /checksum/],
		['f(address to)', [`0xA${'a'.repeat(39)}`], 'to (address)', /checksum/],
		['f(address to)', ['0x12'], 'to (address)', /2 hexadecimal digits instead of 40/],
		['f(address to)', ['discord-1'], 'to (address)', /not an address/],
		['f(bytes32 role)', ['0x1234'], 'role (bytes32)', /2 bytes instead of 32.*64 hexadecimal/],
		['f(bytes)', ['0xabc'], 'argument 1 (bytes)', /odd number/],
		['f(bytes)', ['hello'], 'argument 1 (bytes)', /not hexadecimal/],
		['f(bytes)', [''], 'argument 1 (bytes)', /not hexadecimal/],
		['f(string)', [12], 'argument 1 (string)', /not text.*double quotes/],
		['f(string)', ['\ud800'], 'argument 1 (string)', /a broken character/],
		['f(uint256[3])', [['1', '2']], 'argument 1 (uint256[3])', /2 elements instead of 3/],
		['f(uint256[])', [{}], 'argument 1 (uint256[])', /not a list/],
		['f(uint256[])', ['1,2'], 'argument 1 (uint256[])', /not JSON/],
		[
			'f((address to, uint96 amount)[] list)',
			[list([WALLET, 1], [WALLET, 2], [WALLET, -1])],
			'list[2].amount (uint96)',
			/below the range/,
		],
		[
			'f(((bool, int8)[] a) deep)',
			[{ a: list([true, 1], [true, 999]) }],
			'deep.a[1][1] (int8)',
			/above/,
		],
		[
			'f((int8 a, bool b) x)',
			[{ a: 1 }],
			'x ((int8,bool))',
			/"b" is missing.*a \(int8\), b \(bool\)/,
		],
		['f((uint256 a) x)', [{ a: 1, c: 2 }], 'x ((uint256))', /Unknown entry "c"/],
		['f((uint256 a) x)', [{ toString: 1 }], 'x ((uint256))', /Unknown entry "toString"/],
		['f((uint256,bool) x)', [[1]], 'x ((uint256,bool))', /takes 2, but got 1/],
		['f((uint256,bool) x)', [7], 'x ((uint256,bool))', /neither a list nor an object/],
		['f(address to, int8 n)', [WALLET], 'args', /takes 2, but got 1.*to \(address\), n \(int8\)/],
		['f()', [1], 'args', /takes 0, but got 1.*empty list/],
		['f(address to)', { To: WALLET }, 'args', /Unknown entry "To"/],
		['f(address to)', {}, 'args', /"to" is missing/],
		['f(uint256)', '{', 'args', /not JSON/],
		['f(uint256)', '"1"', 'args', /neither a list nor an object/],
		['f(uint256)', undefined, 'args', /takes 1, but got 0/],
	])('%s refuses %j', async (signature, args, parameter, explanation) => {
		const refusal = await rejectionOf(encode(signature, args));
		expect(refusal.parameter).toBe(parameter);
		expect(`${refusal.message} ${refusal.hint}`).toMatch(explanation);
	});

	it('quotes a long value only in part', async () => {
		const { message } = await rejectionOf(encode('f(uint256)', ['9'.repeat(5000)]));
		expect(message).toMatch(/^.{60,140}$/);
	});

	it('takes a long list', async () => {
		const amounts = Array.from({ length: 20_000 }, (_, index) => String(index));
		expect(await encode('f(uint256[])', [amounts])).toEqual([JSON.stringify(amounts)]);
	});
});

describe('user ids in place of addresses', () => {
	const signature = 'pay(address from, (address to, string note)[] payments, string memo)';
	const args = [
		'DISCORD-1',
		[
			{ to: 'EPIC_GAMES-a/b-c', note: 'GOOGLE-9' },
			{ to: WALLET, note: '' },
			{ to: 'DISCORD-1', note: '' },
		],
		'TWITTER-3',
	];
	const addresses = new Map([
		['DISCORD-1', WALLET],
		['EPIC_GAMES-a/b-c', OTHER],
	]);

	it('become addresses, only where an address belongs', async () => {
		const payments = list([OTHER, 'GOOGLE-9'], [WALLET, ''], [WALLET, '']);
		const resolve = resolveBy({ addresses });
		const encoded = [WALLET, JSON.stringify(payments), 'TWITTER-3'];
		expect(await encode(signature, args, resolve)).toEqual(encoded);
		expect(resolve.asked).toEqual(['DISCORD-1', 'EPIC_GAMES-a/b-c', 'DISCORD-1']);
	});

	it('are looked up for the argument that names them', async () => {
		addresses.delete('EPIC_GAMES-a/b-c');
		await expect(encode(signature, args, resolveBy({ addresses }))).rejects.toThrow(
			'payments[0].to (address): nobody knows EPIC_GAMES-a/b-c',
		);
	});

	it('are not looked up behind an argument that is refused', async () => {
		const resolve = resolveBy({ addresses });
		await rejectionOf(encode('f(uint8,address)', ['256', 'DISCORD-1'], resolve));
		expect(resolve.asked).toEqual([]);
	});

	it('are checked if the service returns no address for them', async () => {
		const resolve = resolveBy({ addresses: new Map([['DISCORD-1', '0x']]) });
		const { message } = await rejectionOf(encode('f(address)', ['DISCORD-1'], resolve));
		expect(message).toMatch(/40/);
	});
});
