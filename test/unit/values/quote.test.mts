/** Foreign text in messages: quoted, on one line, or as a name. */
import fc from 'fast-check';

import {
	foreignWords,
	inOneLine,
	isLikeAddress,
	quote,
} from '../../../nodes/WalletService/values/quote.ts';
import { forAll } from '../support/for-all.mts';

it.each<[unknown, string]>([
	[`a${'\u0301'.repeat(6)}b`, `"a${'\u0301'.repeat(4)}\\u0301\\u0301b"`],
	['0xabc', '"0xabc"'],
	['1\u200b2\u001b\u2028', '"1\\u200b2\\u001b\\u2028"'],
	['<a>&`', '"\\u003ca\\u003e\\u0026\\u0060"'],
	['"\\"\n\\n\t', String.raw`"\"\u005c\"\u000a\u005cn\u0009"`],
	[String.raw`\u200b`, String.raw`"\u005cu200b"`],
	[12, '12'],
	[12n, '12'],
	[null, 'null'],
	[undefined, 'undefined'],
	[{ a: [1n, { b: 'x' }], __proto__: null }, '{"a":["1",{"b":"x"}]}'],
	[new Date(0), '"1970-01-01T00:00:00.000Z"'],
	[{ at: new Date(0) }, '{"at":"1970-01-01T00:00:00.000Z"}'],
	[JSON.parse('{"__proto__":{"a":1}}'), '{"__proto__":{"a":1}}'],
	['x'.repeat(78), `"${'x'.repeat(78)}"`],
	['x'.repeat(79), `"${'x'.repeat(78)}…`],
	[`${'x'.repeat(75)}<<`, `"${'x'.repeat(75)}…`],
])('quote shows %p', (value, text) => {
	expect(quote(value)).toBe(text);
});

it('quote shows a value that contains itself', () => {
	const value: Record<string, unknown> = { a: 1 };
	value.self = value;
	expect(quote(value)).toBe('{"a":1,"self":"[repeated]"}');
});

it('quote is the JSON of any short value, without markup, and its beginning for any other', async () => {
	await forAll([fc.jsonValue()], 2000, (value) => {
		const quoted = quote(value);
		expect(quoted).not.toMatch(/[<>&`]|\\[^u"]/);
		if (quoted.endsWith('…')) expect(quoted.length).toBeLessThanOrEqual(80);
		else expect(JSON.parse(quoted)).toEqual(JSON.parse(JSON.stringify(value)));
	});
});

it('quote reads no more of a value than it shows', () => {
	const deep: unknown = JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`);
	expect(quote(deep)).toBe(`${'['.repeat(79)}…`);
	const objects: unknown = JSON.parse(`${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`);
	expect(quote(objects)).toMatch(/^(\{"a":)+.{0,4}…$/);
	let reads = 0;
	const watched = new Proxy(new Array<number>(500_000).fill(7), {
		get: (list, key) => {
			reads += 1;
			return Reflect.get(list, key);
		},
	});
	expect(quote(watched)).toMatch(/^\[7,7,.*…$/);
	expect(reads).toBeLessThan(500);
});

/** Invisible characters, and those that change the display of others. */
const INVISIBLE = [
	...['\u0000', '\u0007', '\b', '\u001b', '\u007f', '\u009b', '\u00ad'],
	...['\u034f', '\u061c', '\u115f', '\u1160', '\u17b4', '\u180e', '\u200b', '\u200d', '\u200e'],
	...['\u202a', '\u202e', '\u2060', '\u2066', '\u2069', '\u2800', '\u3164', '\ufe0f', '\ufeff'],
	...['\uffa0', '\ufff9', '\ud800', '\udc00', '\ue000', '\u{e0041}', '\u{e0100}'],
];

const hex = (char: string) => char.codePointAt(0)?.toString(16);

describe.each(INVISIBLE.map((char) => [hex(char), char]))('U+%s', (_code, char = '') => {
	it('is left out of sentences and of names', () => {
		expect(inOneLine(`a${char}b ${char}`)).toBe('ab');
		expect(foreignWords(`${char}SU${char}SD${char}`)).toBe('SUSD');
		expect(foreignWords(`0${char}x${char}D0a8${char}...0fcB`)).toBe('"D0a8...0fcB"');
	});

	it('is visible in a quote', () => {
		const json = quote(`a${char}b`);
		expect(json).toMatch(/^"a(\\u[0-9a-f]{4})+b"$/);
		expect(JSON.parse(json)).toBe(`a${char}b`);
	});
});

it.each([
	['  a \r\n\t b\u2028c\u00a0d ', 'a b c d'],
	['\u001b[31mNo\u001b[0m such user', '[31mNo[0m such user'],
	['Zoë 用户 Рубль', 'Zoë 用户 Рубль'],
	['x'.repeat(1000), 'x'.repeat(1000)],
	['the amount must be >= 1 & < 5', 'the amount must be ›= 1 ‹ 5'],
	['<!-- `code` &lt;p', '‹!-- code lt;p'],
	[String.raw`a\nb \\n \u000a \"c\" \d`, String.raw`a nb n \u000a \"c\" d`],
	['a\\\u200bn', 'a n'],
	[`e${'\u0301'.repeat(30)}f`, `e${'\u0301'.repeat(4)}f`],
])('on one line, %j is %j', (text, line) => {
	expect(inOneLine(text)).toBe(line);
});

it.each<[unknown, string]>([
	['SUSD', 'SUSD'],
	['USD Coin', 'USD Coin'],
	['Sandbox Dollar (0xD0a8...0fcB)', '"Sandbox Dollar D0a8...0fcB"'],
	['SUSD \uff080\uff58D0a8\u20260fcB\uff09', '"SUSD D0a8...0fcB"'],
	['SUSD \u2768\ud835\udfd8\u0445D0a8\u22ef0fcB', '"SUSD D0a8\u22ef0fcB"'],
	['0xBTC', '0xBTC'],
	['TN100x', 'TN100x'],
	['uni0xBTC', 'uni0xBTC'],
	['0x0', '0x0'],
	['0x0.ai', '"0x0.ai"'],
	['0xDEAD', '0xDEAD'],
	['0x Protocol Token', '0x Protocol Token'],
	['a0xD0a8...0fcB', 'a0xD0a8...0fcB'],
	['0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', '"d8dA6BF26964aF9D7eEd9e03E53415D37aA96045"'],
	['SUSD 0XD0A8D0A8', '"SUSD D0A8D0A8"'],
	['SUSD 0x. D0a8D0a8', '"SUSD D0a8D0a8"'],
	['0xD0a8... 0fcB', '"D0a8 0fcB"'],
	['0xD0a8..0fcB', '"D0a8..0fcB"'],
	['0x(D0a8) . . 0fcB', '"D0a8 0fcB"'],
	['0x0xD0a8...0fcB', '"D0a8...0fcB"'],
	['0x 0xD0a8...0fcB', '"D0a8...0fcB"'],
	['0\u00d7D0a8\u00b7\u00b70fcB', '"D0a8\u00b7\u00b70fcB"'],
	['0\u0445\u0430\u0441\u04351\u0430\u0441\u04352', '"\u0430\u0441\u04351\u0430\u0441\u04352"'],
	[`${'x'.repeat(16)} 0x${'ab'.repeat(20)}z`, `"${'x'.repeat(16)} ${'ab'.repeat(20)}z"`],
	['[{<A>}]', 'A'],
	['Rahul Sen <!--', 'Rahul Sen !--'],
	['\uff1cp \ufe64\uff06lt;\uff3cn\uff40', 'p lt n'],
	[String.raw`Bob\n\nTotal: 0`, 'Bob n nTotal 0'],
	[String.raw`Bob\u003cimg\u000aTotal\"`, 'Bob u003cimg u000aTotal "'],
	['Bob, 5000 SUSD to Carol', 'Bob 5000 SUSD to Carol'],
	['Bob\uff0c 5\uff1a\u3001\u060c\u061b\u1802 SUSD', 'Bob 5 SUSD'],
	['Bob. Nothing was sent! Retry? .', 'Bob Nothing was sent Retry'],
	['USDC.e 1.5 Dr.No e!f', 'USDC.e 1.5 Dr.No e!f'],
	['00xx1', '00xx1'],
	['0(x)1', '0 x 1'],
	['\ud835\udc12\ud835\udc14\uff33\uff24', 'SUSD'],
	['\u3164\u2800 \u202e', ''],
	['', ''],
	[7, ''],
	[null, ''],
	['x'.repeat(5000), 'x'.repeat(60)],
	[`${'x'.repeat(59)}\u{1f600}`, 'x'.repeat(59)],
])('as a name, %j is %j', (value, words) => {
	expect(foreignWords(value)).toBe(words);
});

it.each([
	...['\u0405USD', 'SUSD\u0422', 'S\u03a5SD', '\u054dUSD', '\ua4e2USD', '\u13daUSD', 'A\u05d0'],
	...['\u0405\u200bUSD', 'US-D\u0422', 'Sandbox D\u043ellar', '\u054d\u13da', '\u0421\u03a5'],
])('%j is marked', (symbol) => {
	expect(foreignWords(symbol)).toBe(`${symbol.replace('\u200b', '')} (mixed alphabets)`);
});

it.each(['Рубль', '泰达币USDT', 'ソラナSOL', '원KRW', 'USD Рубль', 'Café', 'A1', '\u05d0\u05d1'])(
	'%j is not marked',
	(symbol) => {
		expect(foreignWords(symbol)).toBe(symbol);
	},
);

it('whatever a stranger writes, a name contains neither an address nor brackets or commas, except for the mark', async () => {
	const pieces = [...'0x()[]., <>&`\\\u200b\uff1c', '0x', 'D0a8', '...', '\u2026'];
	const part = fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary' }));
	await forAll([fc.array(part)], 2000, (parts) => {
		const words = foreignWords(parts.join(''))
			.replace(/ \(mixed alphabets\)$/, '')
			.replace(/^"(.*)"$/, '$1');
		expect(words).not.toMatch(/(?<![\p{L}\p{N}])0x[ .]*([\da-f]{8}|[\da-f]+\.\.+[\da-f])/iu);
		expect(words).not.toMatch(/[<>&`\\,;:\p{Ps}\p{Pe}\p{C}\p{Default_Ignorable_Code_Point}]/iu);
		expect(words.length).toBeLessThanOrEqual(60);
		expect(inOneLine(words)).toBe(words);
	});
});

/** Characters that a person takes for a zero, an x, a digit, and for what stands in the middle. */
const ZEROS = [...'0oO\u00d8\u0398\u039f\u041e\u0555\u3007\u25ef\u0660\u0966\uff10', '0\u20e3'];
const EXES = [...'xX\u00d7\u0445\u03c7\uab53\u2717\uff58\u{1d431}', 'x\u0332', '\u1e8b', ' x'];
const DIGITS = [...'0123456789abcdefABCDEF\u0430\u0441\u0435\u0432\u1d05\u0299\u0669\uff19'];
const MIDDLES = [
	'...',
	'\u2026',
	'\u00b7',
	'\u2192',
	'--',
	' \u2026 ',
	'\u22ee',
	'\u200f\u2026',
	'***',
];
const HIDDEN = ['', '\u200b', '\u200f', '\ufeff'];

it('whatever a person would read as an address is quoted as a name, in any characters', async () => {
	const digits = fc.array(fc.constantFrom(...DIGITS), { minLength: 3, maxLength: 8 });
	const of = (list: readonly string[]) => fc.constantFrom(...list);
	const parts = fc.tuple(of(ZEROS), of(HIDDEN), of(EXES), digits, of(MIDDLES), digits);
	await forAll([parts, of(['', 'Rahul ', '(', '"'])], 2000, (all, before) => {
		const name =
			before +
			all
				.flat()
				.join('')
				.replace(/(?<=[xX])([a-f])/i, '9$1');
		expect([name, isLikeAddress(name), foreignWords(name)]).toEqual([
			...[name, true, expect.stringMatching(/^"[^"]*"( \(mixed alphabets\))?$/)],
		]);
	});
});

it.each([
	'GOOGLE-115842093764510827364',
	'Oxford 12',
	'bob-42',
	'PT-stETH-26DEC2024',
	'Curve.fi 3CRV',
	'3Crv',
	'No 12',
	'a16z',
])('%s does not read like an address', (name) => {
	expect([isLikeAddress(name), foreignWords(name)]).toEqual([false, name]);
});

it('a name of any length takes little time', () => {
	const { user: before } = process.cpuUsage();
	expect(foreignWords('\ufdfa'.repeat(10_000_000)).length).toBeLessThanOrEqual(60);
	expect(process.cpuUsage().user - before).toBeLessThan(1_000_000);
});
