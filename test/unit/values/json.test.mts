/** JSON with exact numbers: a number that would lose digits becomes text. */
import fc from 'fast-check';

import {
	parseJson,
	parseJsonExact,
	parseUnambiguousJson,
} from '../../../nodes/WalletService/values/json.ts';
import { refusalOf } from '../support/refusal.mts';
import { forAll } from '../support/for-all.mts';

const SCALE = 10n ** 200n;

/** A JSON number token of any size, with or without fraction and exponent. */
const numberToken = fc
	.tuple(
		fc.constantFrom('', '-'),
		fc.oneof(fc.nat().map(BigInt), fc.bigInt({ min: 0n, max: 2n ** 70n })),
		fc.constantFrom('', '.0', '.5', '.10', '.1234567890123456789', '.000000000000000000001'),
		fc.constantFrom('', 'e0', 'e5', 'E+21', 'e-3', 'e-40'),
	)
	.map((parts) => parts.join(''));

/** The exact value of a number token, times 10^200. */
function scaled(token: string): bigint {
	const [number = '', exponent = '0'] = token.toLowerCase().split('e');
	const [whole = '', fraction = ''] = number.split('.');
	return BigInt(`${whole}${fraction}`) * 10n ** BigInt(200 + Number(exponent) - fraction.length);
}

const isSafe = (value: bigint) => Number.isSafeInteger(Number(value));

it.each([
	['9007199254740991', 9007199254740991],
	['-9007199254740991', -9007199254740991],
	['9007199254740992', '9007199254740992'],
	['-9007199254740993', '-9007199254740993'],
	['9007199254740993.0', '9007199254740993'],
	['1e30', '1000000000000000000000000000000'],
	['1.5E+20', '150000000000000000000'],
	['-12e20', '-1200000000000000000000'],
	['1e5', 100000],
	['1500e-2', 15],
	['0.1', 0.1],
	['0.10', 0.1],
	['1.5e-7', 1.5e-7],
	['0e99999', 0],
	['0.1000000000000000055511151231257827', '0.1000000000000000055511151231257827'],
	['1234567890.123456789', '1234567890.123456789'],
	['1e-400', '1e-400'],
	['1e999999999999', '1e999999999999'],
])('parseJsonExact reads %s as %j', (text, expected) => {
	expect(parseJsonExact(text)).toBe(expected);
	expect(parseJsonExact(` [\n${text} ,"${text}"]`)).toEqual([expected, text]);
	expect(parseJsonExact(`{"${text}":${text}}`)).toEqual({ [text]: expected });
});

it('parseJsonExact leaves digits inside strings and names alone', () => {
	const value = {
		'say "12345678901234567890"': '\\"99999999999999999999\\',
		'\\': ',12345678901234567890',
		nested: [{ '1e999': ': 1e30' }],
	};
	const text = JSON.stringify(value).replace('}]', ',"n":12345678901234567890}]');
	const nested = [{ '1e999': ': 1e30', n: '12345678901234567890' }];
	expect(parseJsonExact(text)).toEqual({ ...value, nested });
});

it('parseJsonExact keeps a key __proto__ a key', () => {
	const value = parseJsonExact('{"__proto__":{"n":12345678901234567890}}');
	expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
	expect(JSON.stringify(value)).toBe('{"__proto__":{"n":"12345678901234567890"}}');
});

it.each(['', '{', '[1,]', "{'a':1}", '{"a":12345678901234567890', '01', '<html>', 'NaN'])(
	'parseJsonExact refuses %j',
	(text) => {
		expect(refusalOf(() => parseJsonExact(text)).message).toMatch(/is not JSON/);
	},
);

it('parseJsonExact keeps the exact value of every number token', async () => {
	await forAll([numberToken, fc.json()], 1000, (token, json) => {
		const value = parseJsonExact(`{"before":${json}, "n":[${token}]}`);
		const kept = JSON.stringify(value).slice(JSON.stringify(value).lastIndexOf('[') + 1, -2);
		expect(scaled(kept.replaceAll('"', ''))).toBe(scaled(token));
		const mustBeText = scaled(token) % SCALE === 0n && !isSafe(scaled(token) / SCALE);
		if (mustBeText) expect(kept).toMatch(/^"-?\d+"$/);
	});
});

const BIG = '12345678901234567890';

it.each(['x', '\\n', '\\"', '\\\\', '1'])(
	'parseJsonExact reads a string of millions of %j',
	(part) => {
		const text = `"${part.repeat(6_000_000)}"`;
		const value = parseJsonExact(`{"a":${text},"n":${BIG}}`);
		expect(value).toEqual({ a: JSON.parse(text), n: BIG });
	},
);

it('parseJsonExact reads as many entries and as deep as JSON.parse does', () => {
	const list = parseJsonExact(`[${Array.from({ length: 500_000 }, () => BIG).join(',')}]`);
	expect(new Set(Array.isArray(list) ? list : [])).toEqual(new Set([BIG]));
	expect(list).toHaveLength(500_000);
	const depth = 500_000;
	let deep = parseJsonExact(`${'['.repeat(depth)}${BIG}${']'.repeat(depth)}`);
	for (let level = 0; level < depth; level += 1) [deep] = Array.isArray(deep) ? deep : [];
	expect(deep).toBe(BIG);
});

it('parseJsonExact quotes deeply nested text that is not JSON without running out of stack', () => {
	expect(() => parseJsonExact('['.repeat(1_000_000))).toThrow(/is not JSON/);
});

it('parseJsonExact trims zeros in time linear in their number', () => {
	const number = `1${'0'.repeat(1_000_000)}1`;
	const before = process.cpuUsage();
	expect(parseJsonExact(`[${number}]`)).toEqual([number]);
	// A regular expression such as /0+$/ takes 10^12 steps, which are minutes.
	expect(process.cpuUsage(before).user).toBeLessThan(30_000_000);
});

it.each([
	'{"a":1,"a":1}',
	'[{"a":[{"b":1,"c":2,"b":3}]}]',
	String.raw`{"a":1,"\u0061":2}`,
	'{"__proto__":1,"__proto__":2}',
	'{"a" :{},"a"\n:[]}',
])('parseUnambiguousJson refuses %s', (text) => {
	expect(refusalOf(() => parseUnambiguousJson(text, 'args')).message).toMatch(
		/names an entry twice$/,
	);
});

it('parseUnambiguousJson reads any other JSON', async () => {
	await forAll([fc.jsonValue()], 500, (value) => {
		const text = JSON.stringify(value);
		expect(JSON.stringify(parseUnambiguousJson(text, 'args'))).toBe(
			JSON.stringify(parseJson(text)),
		);
	});
	const depth = 300_000;
	const deep = `${'{"a":['.repeat(depth)}${']}'.repeat(depth)}`;
	expect(() => parseUnambiguousJson(deep, 'args')).not.toThrow();
	expect(parseUnambiguousJson(`["${String.raw`\"`.repeat(500_000)}"]`, 'args')).toHaveLength(1);
});
