/** Amounts as people write them: exact, never rounded and never guessed. */
import fc from 'fast-check';

import {
	inBaseUnits,
	NATIVE_FORMS,
	parseWholeAmount,
	readWritten,
	toBaseUnits,
} from '../../../nodes/WalletService/values/amount.ts';
import type { AmountForms } from '../../../nodes/WalletService/values/computed-number.ts';
import { formatDecimal, formatUnitsExact } from '../../../nodes/WalletService/values/decimal.ts';
import { InvalidInputError } from '../../../nodes/WalletService/values/invalid-input.ts';
import { refusalOf } from '../support/refusal.mts';
import { forAll } from '../support/for-all.mts';

const parse = (value: unknown, forms: AmountForms = NATIVE_FORMS): bigint =>
	inBaseUnits(readWritten(value, 'amount', forms), 'amount', forms);

type Refused = readonly [value: unknown, message: string, hint: string];

function expectRefusal(read: () => unknown, [, message, hint]: Refused, parameter = 'amount') {
	const refusal = refusalOf(read);
	expect(refusal.message).toContain(message);
	expect(refusal.hint).toContain(hint);
	expect(refusal.parameter).toBe(parameter);
}

it.each([
	['12.50 SUSD', { number: '12.50', digits: 1250n, places: 2, unit: 'SUSD' }],
	['-3  tokens', { number: '-3', digits: -3n, places: 0, unit: 'token' }],
	['1.5 ether', { number: '1.5', digits: 15n, places: 1, unit: 'ether', decimals: 18 }],
	['1.5*10^06', { number: '1.5', digits: 15n, places: 1, unit: '10^06', decimals: 6 }],
	['\n -0x10', { number: '-0x10', digits: -16n, places: 0, unit: '', decimals: 0 }],
	['+5USDX', { number: '5', digits: 5n, places: 0, unit: 'USDX' }],
	['-.5 SUSD', { number: '-0.5', digits: -5n, places: 1, unit: 'SUSD' }],
	// These are token symbols, not units.
	['5 0x', { number: '5', digits: 5n, places: 0, unit: '0x' }],
	['5 10^a', { number: '5', digits: 5n, places: 0, unit: '10^a' }],
	['5 Ether', { number: '5', digits: 5n, places: 0, unit: 'Ether' }],
])('readWritten reads %p', (text, expected) => {
	expect(readWritten(text, 'amount')).toEqual({ text: text.trimStart(), ...expected });
});

const million = (text: string): [string, bigint] => [text, 1500000n];

it.each<[text: unknown, expected: bigint]>([
	...['1500000', '\n 1500000', '0x16e360', '1.5 * 10^6', '1.5*10^6'].map(million),
	...['+1500000.', '.0015 gwei'].map(million),
	['-5', -5n],
	[42, 42n],
	[10n ** 30n, 10n ** 30n],
	['1.5 ether', 1500000000000000000n],
	['1.5ether', 1500000000000000000n],
	['20 gwei', 20000000000n],
	['0.000000001 gwei', 1n],
	['7 wei', 7n],
	['1.5000000000 gwei', 1500000000n],
	['-29.000000000000000000 * 10^6', -29000000n],
	[`7.${'0'.repeat(990)} base`, 7n],
	['1.5 * 10^77', 15n * 10n ** 76n],
	['-0.5 ether', -500000000000000000n],
	['9'.repeat(1000), 10n ** 1000n - 1n],
])('inBaseUnits reads %p', (text, expected) => {
	expect(parse(text)).toBe(expected);
});

const unit = 'a unit for fractions: 12.5 ether or 12.5 gwei';
const comma = 'Write a decimal point, not a comma: ';
const grouped = 'Write a decimal point, and no other separators: ';

it.each<Refused>([
	['1.5', 'decimal point but no unit', 'Add a unit: 1.5 ether or 1.5 gwei'],
	['100.0', 'decimal point but no unit', 'Add a unit'],
	['1.5 wei', 'has 1 decimal place', 'wei has no decimal places: enter a whole number, because'],
	['1.0000000001 gwei', 'has 10 decimal places', 'gwei has 9 decimal places'],
	['1.5555555 * 10^6', 'has 7 decimal places', '10^6 has 6 decimal places: enter at most 6'],
	['1.23 * 10^1', 'has 2 decimal', '10^1 has 1 decimal place: enter at most 1, because'],
	['1.05 * 10^1', 'has 2 decimal places', '10^1 has 1 decimal place'],
	[1.5, '"1.5" has a decimal point but no unit', 'Add a unit: 1.5 ether or 1.5 gwei'],
	[1 / 3, 'cannot be read exactly', 'to at most 15 digits, for example 12.5 ether or 12.5 gwei'],
	[1e30, 'cannot be read exactly', 'Use a text field'],
	[null, 'The amount is missing', 'for example 12.5'],
	['12,5', 'has a comma', `${comma}12.5 ether or 12.5 gwei`],
	['0,500 ether', 'has a comma', `${comma}0.500 ether`],
	['-0,001ether', 'has a comma', `${comma}-0.001ether`],
	['12,50 EUR', 'has a comma', `${comma}12.50 ether or 12.50 gwei`],
	['1,5 * 10^6', 'is not an amount', unit],
	['1,5 wei', 'is not an amount', unit],
	['1,000', 'has a comma', `Write 1000 ether or 1000 gwei without a separator, or 1.000 ether`],
	['1,000.50', 'has a comma', `${grouped}1000.50 ether or 1000.50 gwei`],
	['1.000,50', 'has a comma', `${grouped}1000.50 ether or 1000.50 gwei`],
	['1,000,000', 'has a comma', `${grouped}1000000 ether or 1000000 gwei`],
	['1 Ether', 'is not an amount', 'Write the unit in lower case: 1 ether'],
	['5 eth', 'is not an amount', 'a unit for fractions: 5 ether or 5 gwei'],
	// A number at the start is not mistaken for the amount.
	['0x10 gwei', 'is not an amount', unit],
	['1'.repeat(1001), ' has 1001 characters', 'Enter at most 1000 characters'],
	[`0.${'0'.repeat(5_000_000)}`, '5000002 characters', 'Enter at most 1000 characters'],
])('inBaseUnits refuses %p: %s: %s', (...row) => {
	expectRefusal(() => parse(row[0]), row);
});

const out = 'Write the number out';

it.each<Refused>([
	['1e18', 'is in scientific notation', `${out}: 1${'0'.repeat(18)}`],
	['1e-9', 'is in scientific notation', `${out}: 0.000000001 ether or 0.000000001 gwei`],
	['1E+3', 'is in scientific notation', `${out}: 1000`],
	['-12.50e1 gwei', 'is in scientific notation', `${out}: -125 gwei`],
	['1e18 wei', 'is in scientific notation', `${out}: 1${'0'.repeat(18)} wei`],
	['1e-9 wei', 'is not an amount', unit],
	['1.5e0ether', 'is in scientific notation', `${out}: 1.5ether`],
	['1e3 SUSD', 'is in scientific notation', `${out}: 1000 ether or 1000 gwei`],
	['1e3 GWEI', 'is not an amount', unit],
	['1e81', 'is not an amount', unit],
	['1e999999999', 'is not an amount', unit],
	['1e-999999999', 'is not an amount', unit],
	[`1e${'9'.repeat(900)}`, 'is not an amount', unit],
	['1,5e3', 'is not an amount', unit],
	['1.5.5e3', 'is not an amount', unit],
	['1e3e3', 'is not an amount', unit],
	['1e', 'is not an amount', unit],
	['1e1.5', 'is not an amount', unit],
])('inBaseUnits refuses %p: %s: %s', (...row) => {
	expectRefusal(() => parse(row[0]), row);
});

it.each<Refused>([
	['12.5 ', 'ends with white space; its unit may be missing', 'remove the white space'],
	['1.5 ether ', 'ends with white space', 'Remove all white space at the end'],
	['1.5 SUSD\t', 'ends with white space', 'Remove all white space at the end'],
	['12.5\r', 'ends with a line break', 'Remove all white space at the end'],
	['12.5 \r\n', 'ends with a line break', 'Remove all white space at the end'],
	['1.5 ether\r', 'ends with a line break', 'Remove all white space at the end'],
	['12.5\u2028', 'ends with a line break', 'Remove all white space at the end'],
])('the end of %j is described: %s', (...row) => {
	expectRefusal(() => parse(row[0]), row);
	const { message } = refusalOf(() => parse(row[0]));
	expect(message.endsWith(row[1])).toBe(true);
});

it.each(['. ether', '5.. ether', '1 eth', 'ether', '1 ether gwei', '0x', true, {}])(
	'inBaseUnits refuses %p, which is not an amount',
	(value) => {
		expectRefusal(() => parse(value), [value, 'is not an amount', 'Enter digits']);
	},
);

const places = fc.integer({ min: 0, max: 77 });
const digits = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
const power = (exponent: number): bigint => 10n ** BigInt(exponent);

it('base units equal those of BigInt, or are refused', async () => {
	await forAll([digits, places, places, places], 100, (one, own, decimals, zeroes) => {
		const convert = () => toBaseUnits({ digits: one, places: own }, decimals, 'threshold');
		// Only zeros may follow the last decimal place.
		const [scaled, unit] = [one * power(decimals), power(own)];
		if (scaled % unit === 0n) expect(convert()).toBe(scaled / unit);
		else expect(convert).toThrow(InvalidInputError);
		const longer = { digits: one * power(zeroes), places: own + zeroes };
		if (own <= decimals) expect(toBaseUnits(longer, decimals, 'x')).toBe(convert());
	});
	const { hint } = refusalOf(() => toBaseUnits({ digits: 12_345n, places: 3 }, 2, 'threshold'));
	expect(hint).toMatch(/^The coin or token has 2 decimal places: enter at most 2,/);
});

const noAmount = (value: unknown): Refused => [
	value,
	`"${String(value)}" is not an amount`,
	'only, such as 12.5,',
];

it.each<[value: unknown, digits: bigint, places: number, forms?: AmountForms]>([
	['100', 100n, 0],
	['12.5', 125n, 1],
	['\n 12.50', 1250n, 2],
	['0', 0n, 0],
	['0.000000000000000001', 1n, 18],
	['007', 7n, 0],
	[100, 100n, 0],
	[10n ** 40n, 10n ** 40n, 0],
	[`1${'0'.repeat(499)}.${'0'.repeat(498)}1`, 10n ** 998n + 1n, 499],
	['12.5 ', 125n, 1],
	[' 12.5\t', 125n, 1],
	['12.5\u00a0', 125n, 1],
	['12.5\r\n', 125n, 1],
	[12.5, 125n, 1],
	[0.000001, 1n, 6],
	[123456789.012345, 123456789012345n, 6],
	['1.5', 15n, 1, NATIVE_FORMS],
	[1.5, 15n, 1, NATIVE_FORMS],
	[0, 0n, 0, NATIVE_FORMS],
	['20 gwei', 20n, 0, NATIVE_FORMS],
	['7wei', 7n, 0, NATIVE_FORMS],
])('parseWholeAmount takes %j', (...[value, expected, own, forms]) => {
	expect(parseWholeAmount(value, 'x', forms)).toMatchObject({ digits: expected, places: own });
});

it.each<Refused>([
	['1,000', '"1,000" has a comma', 'Write 1000 without a separator, or 1.000 with a decimal point'],
	['12,50 EUR', '"12,50 EUR" has a comma', 'not a comma: 12.50'],
	['12,5 ether', '"12,5 ether" is not an amount', 'only, such as 12.5,'],
	['7,5 gwei', '"7,5 gwei" is not an amount', 'only, such as 12.5,'],
	['1e-9', '"1e-9" is in scientific notation', 'Write the number out: 0.000000001'],
	['1e3 ', '"1e3" is in scientific notation', 'Write the number out: 1000'],
	['2e0 gwei', '"2e0 gwei" is not an amount', 'only, such as 12.5,'],
	['2e0 SUSD', '"2e0 SUSD" is in scientific notation', 'Write the number out: 2'],
	['100 SUSD', '"100 SUSD" is not an amount', 'only, such as 100,'],
	['100 token', '"100 token" is not an amount', 'only, such as 100,'],
	['1.5 ether', '"1.5 ether" is not an amount', 'only, such as 1.5,'],
	...['1 * 10^6', '1.5 GWEI', '1.5 gwei', '7 wei', '--1', '+-1', '.', '5..', '5²'].map(noAmount),
	...['0x10', 'NaN', NaN, Infinity, '½', '1 00', '1.2.3', '5-', '(5)'].map(noAmount),
	...[true, ['5'], { toString: () => '5' }].map(
		(value): Refused => [value, 'is not an amount', 'Enter digits only'],
	),
	...['', ' ', null, undefined].map(
		(value): Refused => [value, 'The amount is missing', 'for example 12.5'],
	),
	['-1', '"-1" is negative', 'Enter the amount without a minus sign'],
	[-1, '"-1" is negative', 'Enter the amount without a minus sign'],
	[-12.5, '"-12.5" is negative', 'Enter the amount without a minus sign'],
	...[0.1 + 0.2, 3 * 1.1, 1 - 0.9, 1e-7, 2 ** 53, 1e18, 1e21].map(
		(one): Refused => [one, `${one} cannot be read exactly from a number`, 'Use a text'],
	),
	['9'.repeat(1001), 'has 1001 characters', 'Enter at most 1000 characters'],
])('parseWholeAmount refuses %j: %s', (...row) => {
	expectRefusal(() => parseWholeAmount(row[0], 'compareWith'), row, 'compareWith');
});

it.each<Refused>([
	['-1', '"-1" is negative', 'without a minus sign'],
	['-0 wei', '"-0 wei" is negative', 'without a minus sign'],
	['0x10', '"0x10" is not an amount', ': 12.5 ether or 12.5 gwei'],
	['1 * 10^6', '"1 * 10^6" is not an amount', ': 12.5 ether or 12.5 gwei'],
	['1 SUSD', '"1 SUSD" is not an amount', ': 1 ether or 1 gwei'],
	['0,05', '"0,05" has a comma', 'Write a decimal point, not a comma: 0.05 ether or'],
])('parseWholeAmount of native coin refuses %j: %s', (...row) => {
	expectRefusal(() => parseWholeAmount(row[0], 'amount', NATIVE_FORMS), row);
});

it('a number of at most 15 digits is read as it was entered', async () => {
	const entered = fc.integer({ min: 1, max: 10 ** 15 - 1 });
	await forAll([entered, fc.integer({ min: 0, max: 6 })], 100, (digitsOfAll, own) => {
		const text = formatUnitsExact(BigInt(digitsOfAll), own);
		expect(formatDecimal(parseWholeAmount(JSON.parse(text), 'amount'))).toBe(text);
	});
});
