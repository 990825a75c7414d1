/** Arguments in whole tokens, also in functions of token standards: exact, in units of the called contract, never guessed. */
import { parseUnits } from 'ethers';
import fc from 'fast-check';

import { encodeArguments } from '../../../nodes/WalletService/contract/arguments.ts';
import { parseSignature } from '../../../nodes/WalletService/contract/source/signature.ts';
import type { TokenFacts } from '../../../nodes/WalletService/contract/token-amount.ts';
import { isMistaken, isOfToken } from '../../../nodes/WalletService/contract/token-amount.ts';
import { readWritten } from '../../../nodes/WalletService/values/amount.ts';
import { formatUnitsExact } from '../../../nodes/WalletService/values/decimal.ts';
import { rejectionOf } from '../support/refusal.mts';
import { resolveBy } from '../support/contract/resolve.mts';
import { WALLET } from '../support/contract/samples.mts';
import { forAll } from '../support/for-all.mts';

const of = (decimals?: number, symbol?: string) => ({ address: '0x12', decimals, symbol });
const SUSD = of(6, 'SUSD');
const ANY = parseSignature('f(uint256 x)');

const encode = async (value: unknown, token: TokenFacts = SUSD) =>
	(await encodeArguments(ANY, [value], 'args', resolveBy({ token })))[0];

it.each([
	...[' token', ' tokens', 'token', '  token', ' SUSD'].map((unit) => [`12.5${unit}`, '12500000']),
	['\n 12 SUSD', '12000000'],
	['0 token', '0'],
	['12.5SUSD', '12500000'],
	['+.5 token', '500000'],
	['5.SUSD', '5000000'],
	['0.000001 SUSD', '1'],
	['12.5 susd', '12500000'],
])('an amount of the called contract: %j', async (text, expected) => {
	expect(await encode(text)).toBe(expected);
});

const LONG = 'REALTOKEN-S-9943-MARLOWE-STREET-DETROIT-MI-482271';

it.each(['USD₮0', '1INCH', 'e18', 'token', 'TOKEN', 'tokens', 'a*b', 'ETHX', LONG])(
	'an amount of the called contract, in %s',
	async (symbol) => {
		expect(await encode(`1.5 ${symbol}`, { ...SUSD, symbol })).toBe('1500000');
	},
);

it('an amount of the called contract is read at any depth, also negative, and in JSON', async () => {
	const fn = parseSignature('pay((address to, uint96[2] amounts)[] list, int128 change)');
	const list = [[WALLET, ['1.5 token', '2 SUSD']]];
	for (const given of [list, JSON.stringify(list)]) {
		const args = [given, '-0.5 SUSD'];
		expect(await encodeArguments(fn, args, 'args', resolveBy({ token: SUSD }))).toEqual([
			`[["${WALLET}",["1500000","2000000"]]]`,
			'-500000',
		]);
	}
});

const NO_AMOUNTS = '1e,1 000 token,1 000,0x10 token,. token,5.. token,token,SUSD 5,5 SUSD now';

it.each<[text: unknown, token: TokenFacts, message: RegExp, hint: RegExp]>([
	['5 EURX', SUSD, /^"5 EURX" is an amount of another token: .* 0x12 has .* "SUSD"$/, /5 SUSD$/],
	[
		'1.5k',
		SUSD,
		/^"1\.5k" ends with "k", which could multiply/,
		/^Write all digits of the number, and token behind it$/,
	],
	['2 million', of(6), /could multiply/, /all digits/],
	['12.5 Token', SUSD, /another token/, /12\.5 SUSD$/],
	['5 EURX', of(6, 'S:(1)'), /another token/, /5 token$/],
	['5 EURX', of(6, 'USD\u0416'), /another token/, /5 token$/],
	['12.5 ETH', SUSD, /another token/, /12\.5 SUSD$/],
	['5 EURX', of(6, 'GWEI'), /another token/, /5 token$/],
	['5 EURX', of(6, 'ether'), /another token/, /5 token$/],
	['5 EURX', of(6, '\u{1f438}404'), /another token/, /5 token$/],
	['5 EURX', of(6, '*X'), /another token/, /5 token$/],
	[
		'5 SUSD',
		of(6),
		/the contract 0x12 reports none of one word$/,
		/5 token to use .* or 5 \* 10\^6 for 6/,
	],
	['12.5 token', of(), /reports no decimals$/, /12\.5 \* 10\^6 for 6/],
	['12.5 SUSD', of(undefined, 'SUSD'), /reports no decimals$/, /12\.5 \* 10\^6 for 6/],
	['1.2345678 token', SUSD, /7 decimal places$/, /^SUSD has 6 decimal places: enter at most 6,/],
	['1.5 token', of(0), /1 decimal place$/, /^This token has no decimal places: enter a whole/],
	['1.25 token', of(1), /2 decimal places$/, /^This token has 1 decimal place: enter at most 1/],
	['12,50 EUR', SUSD, /has a comma$/, /, or 12\.50 token to use/],
	['1e3 base', SUSD, /is in scientific notation$/, /^Write the number out: 1000 base$/],
	['1e3 token', SUSD, /is in scientific notation$/, /^Write the number out: 1000 token$/],
	[
		'1,000 token',
		SUSD,
		/has a comma$/,
		/^Write 1000 token without a separator, or 1\.000 token with/,
	],
	['-1 token', SUSD, /^"-1 token" is below the range of uint256$/, /^Enter 0 or more$/],
])('not an amount of the called contract: %j', async (text, token, message, hint) => {
	const refusal = await rejectionOf(encode(text, token));
	expect(refusal).toMatchObject({ parameter: 'x (uint256)' });
	expect(refusal.message).toMatch(message);
	expect(refusal.hint).toMatch(hint);
});

it.each(NO_AMOUNTS.split(','))('not an amount of the called contract: %j', async (text) => {
	const { message, hint } = await rejectionOf(encode(text));
	expect([message, hint].join(': ')).toMatch(/not an amount.*: .*digits/);
});

it('units of the native coin remain native in other functions, whatever the symbol of the contract', async () => {
	expect(await encode('1.5 ether', { ...SUSD, symbol: 'ether' })).toBe('1500000000000000000');
	expect(isOfToken(readWritten('7 wei'))).toBe(false);
});

it.each(['GWEI', 'ETHER', 'Wei', 'BASE'])(
	'a symbol that could be a unit is not taken: 1.5 %s',
	async (symbol) => {
		const refusal = await rejectionOf(encode(`15 ${symbol}`, { ...SUSD, symbol }));
		expect(refusal.message).toBe(`"15 ${symbol}" is not an amount, because "${symbol}" is a unit`);
		const unit = symbol.toLowerCase();
		const hint = `Write the unit in lower case: 15 ${unit}; for a token with this symbol write 15 token`;
		expect(refusal.hint).toBe(hint);
	},
);

it.each([
	['12.5 token', true, false],
	['12.5 GWEI', false, true],
	['12.5 BASE', false, false],
	['12.5 SUSD', true, false],
	['12.5', false, true],
	['1 ether', false, true],
	['12', false, false],
	['0.00', false, false],
	['12.5 * 10^6', false, false],
])('%j is of the token: %s, is mistaken: %s', (text, isOf, isMistake) => {
	const written = readWritten(text);
	expect([isOfToken(written), isMistaken(written)]).toEqual([isOf, isMistake]);
});

const TRANSFER = parseSignature('transfer(address to, uint256 amount)');

async function sent(amount: unknown, token: TokenFacts = SUSD, needsUnit = false) {
	const args = [WALLET, amount];
	return (await encodeArguments(TRANSFER, args, 'args', resolveBy({ token }), needsUnit))[1];
}

it.each<[unknown, RegExp, RegExp]>([
	['12.5', /^"12.5" has a decimal point but no unit$/, /^For 12\.5 SUSD write 12\.5 token$/],
	['12.5000001', /^"12.5000001" has 7 decimal places$/, /^SUSD has 6 decimal places: enter/],
	['12.5 ether', /native coin/, /^For 12\.5 SUSD write 12\.5 token$/],
	['12.5 ETHER', /native coin/, /^For 12\.5 SUSD write 12\.5 token$/],
	['7 wei', /native coin/, /^For 7 SUSD write 7 token$/],
	['12.5 base', /has 1 decimal place$/, /enter a whole number/],
	['12,5', /has a comma/, /^Write a decimal point, not a comma: 12\.5 token$/],
	['1,000', /has a comma/, /^Write 1000 token without a separator, or 1\.000 token with/],
	['twelve', /is not an amount/, /: 12\.5 token$/],
	['', /empty/, /12\.5 token$/],
	[12.5, /^"12.5" has a decimal point but no unit$/, /12\.5 token$/],
	[0.1 + 0.2, /cannot be read exactly/, /12\.5 token$/],
	['-1', /below the range/, /^Enter 0 or more$/],
	['-0.5', /below the range/, /^Enter 0 or more$/],
	[String(2n ** 256n), /above the range/, /^Enter at most 2\^256 - 1$/],
	[`${2n ** 256n} token`, /above the range/, /^Enter at most 2\^256 - 1 base units$/],
])('%j is refused in the words of the token', async (amount, message, hint) => {
	const refusal = await rejectionOf(sent(amount));
	expect(refusal.parameter).toBe('amount (uint256)');
	expect(refusal.message).toMatch(message);
	expect(refusal.hint).toMatch(hint);
	expect(refusal.hint).not.toMatch(/ether|gwei|wei/);
});

it.each([
	['12', '12'],
	[7, '7'],
	['12 base', '12'],
	['12base', '12'],
	['12.5 * 10^6', '12500000'],
	['0x10', '16'],
	['0', '0'],
	[{ type: 'BigNumber', hex: '0x10' }, '16'],
])('%j is in base units: %s', async (amount, baseUnits) => {
	expect(await sent(amount)).toBe(baseUnits);
	const isBare = amount === '12' || amount === 7;
	if (!isBare) expect(await sent(amount, SUSD, true)).toBe(baseUnits);
});

it.each<[unknown, TokenFacts, string]>([
	['12', SUSD, 'For 12 SUSD write 12 token; for base units write 12 base'],
	[12, SUSD, 'For 12 SUSD write 12 token; for base units write 12 base'],
	['007', of(), 'For 007 tokens write 007 token; for base units write 007 base'],
	['12.5', SUSD, 'For 12.5 SUSD write 12.5 token'],
])('%j is refused if a unit is needed', async (amount, token, hint) => {
	const refusal = await rejectionOf(sent(amount, token, true));
	expect(refusal).toMatchObject({ parameter: 'amount (uint256)', hint });
});

it.each(['approve(address to, uint256 tokenId)', 'transferFrom(address,address,uint256 _id)'])(
	'the number of an NFT is not an amount of a token: %s',
	async (signature) => {
		const fn = parseSignature(signature);
		const args = fn.inputs.map(({ type }) => (type === 'address' ? WALLET : '2 gwei'));
		const encoded = await encodeArguments(fn, args, 'args', resolveBy());
		expect(encoded.at(-1)).toBe('2000000000');
	},
);

const decimals = fc.integer({ min: 0, max: 77 });
const unit = fc.constantFrom(' token', ' SUSD', 'token');
const whole = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });

it('amounts are encoded as by ethers, to the last digit that a contract can hold, or refused', async () => {
	await forAll(
		[whole, fc.oneof(fc.constant(''), fc.stringMatching(/^\d{1,40}0{0,40}$/)), decimals, unit],
		200,
		async (units, fraction, places, word) => {
			const isWhole = fraction === '';
			const number = isWhole ? formatUnitsExact(units, places) : `${units >> 156n}.${fraction}`;
			const digits = fraction.replace(/0+$/, '');
			const isFine = digits.length <= places;
			const exact = isWhole ? number : [units >> 156n, digits].join('.').replace(/\.$/, '');
			const expected = isFine ? parseUnits(exact, places) : 0n;
			const encoded = encode(`${number}${word}`, { ...SUSD, decimals: places });
			if (!isFine) await expect(encoded).rejects.toThrow('decimal place');
			else if (expected < 2n ** 256n) expect(await encoded).toBe(expected.toString());
			else await expect(encoded).rejects.toThrow(/above the range/);
		},
	);
});
