import fc from 'fast-check';

import {
	formatDecimal,
	parseWholeAmount,
	subtract,
} from '../../../nodes/WalletService/values/decimal.ts';
import { InvalidInputError } from '../../../nodes/WalletService/values/invalid-input.ts';

function refusalOf(value: unknown): InvalidInputError {
	try {
		parseWholeAmount(value, 'compareWith');
	} catch (error) {
		if (error instanceof InvalidInputError) return error;
		throw error;
	}
	throw new Error(`${String(value)} was taken`);
}

describe('parseWholeAmount', () => {
	it.each<[value: unknown, digits: bigint, places: number]>([
		['100', 100n, 0],
		['12.5', 125n, 1],
		['\n 12.50', 1250n, 2],
		['0', 0n, 0],
		['0.000000000000000001', 1n, 18],
		['007', 7n, 0],
		[100, 100n, 0],
		[10n ** 40n, 10n ** 40n, 0],
		[`1${'0'.repeat(499)}.${'0'.repeat(499)}1`, 10n ** 999n + 1n, 500],
	])('%j is taken', (value, digits, places) => {
		expect(parseWholeAmount(value, 'compareWith')).toEqual({ digits, places });
	});

	it.each<[value: unknown, message: string, hint: string]>([
		['12,5', '"12,5" has a comma', 'Write a decimal point, not a comma: 12.5'],
		['1,000', '"1,000" has a comma', 'Write a decimal point, not a comma: 1000 or 1.000'],
		['1,000.50', '"1,000.50" has a comma', 'and no other separators: 1000.50'],
		['1,000,000', '"1,000,000" has a comma', 'and no other separators: 1000000'],
		['1.000,50', '"1.000,50" has a comma', 'and no other separators: 1000.50'],
		['12,5 SUSD', '"12,5 SUSD" has a comma', 'not a comma: 12.5 SUSD'],
		['100 SUSD', '"100 SUSD" is not an amount', 'Give the number alone: 100'],
		['1.5 ether', '"1.5 ether" is not an amount', 'Give the number alone: 1.5'],
		['1.5 gwei', '"1.5 gwei" is not an amount', 'nothing else: 12.5'],
		['7 wei', '"7 wei" is not an amount', 'nothing else: 12.5'],
		['-1', '"-1" is negative', 'Give the amount without a sign'],
		[-1, '"-1" is negative', 'Give the amount without a sign'],
		['--1', '"--1" is not an amount', 'nothing else'],
		['+1', '"+1" is not an amount', 'nothing else'],
		['.5', '".5" is not an amount', 'nothing else'],
		['5.', '"5." is not an amount', 'nothing else'],
		['1e3', '"1e3" is not an amount', 'nothing else'],
		['0x10', '"0x10" is not an amount', 'nothing else'],
		['١٢', '"١٢" is not an amount', 'nothing else'],
		['NaN', '"NaN" is not an amount', 'nothing else'],
		[NaN, '"NaN" is not an amount', 'nothing else'],
		[Infinity, '"Infinity" is not an amount', 'nothing else'],
		['', '"" is not an amount', 'nothing else'],
		[' ', '"" is not an amount', 'nothing else'],
		[12.5, '12.5 comes as a number with a fraction', 'Give it as text'],
		[2 ** 53, '9007199254740992 lies beyond 2^53', 'Give it as text'],
		[true, 'is not an amount', 'nothing else'],
		[null, 'is not an amount', 'nothing else'],
		[undefined, 'is not an amount', 'nothing else'],
		[['5'], 'is not an amount', 'nothing else'],
		[{ toString: () => '5' }, 'is not an amount', 'nothing else'],
		['9'.repeat(501), 'is not an amount', 'nothing else'],
	])('%j is refused', (value, message, hint) => {
		const refusal = refusalOf(value);
		expect(refusal.message).toContain(message);
		expect(refusal.hint).toContain(hint);
		expect(refusal).toMatchObject({ parameter: 'compareWith', value });
	});
});

const places = fc.integer({ min: 0, max: 77 });
const digits = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
/** The same number with 77 decimal places and more, by which two can be compared as integers. */
const scaled = (number: bigint, decimals: number): bigint => number * 10n ** BigInt(77 - decimals);

it('what is written comes back, and a difference is exact, by BigInt', () => {
	fc.assert(
		fc.property(digits, places, digits, places, (one, onePlaces, other, otherPlaces) => {
			const text = formatDecimal({ digits: one, places: onePlaces });
			const read = parseWholeAmount(text, 'amount');
			expect(scaled(read.digits, read.places)).toBe(scaled(one, onePlaces));
			const difference = subtract(read, { digits: other, places: otherPlaces });
			const expected = scaled(one, onePlaces) - scaled(other, otherPlaces);
			expect(scaled(difference.digits, difference.places)).toBe(expected);
			const shown = formatDecimal(difference);
			expect(shown.startsWith('-')).toBe(expected < 0n);
			const back = parseWholeAmount(shown.replace('-', ''), 'amount');
			expect(scaled(back.digits, back.places)).toBe(expected < 0n ? -expected : expected);
		}),
	);
});

it('one digit at the last place makes the difference', () => {
	fc.assert(
		fc.property(digits, places, places, (one, decimals, more) => {
			const balance = { digits: one, places: decimals };
			const digit = { digits: 1n, places: decimals + more };
			const tenth = subtract(balance, digit);
			expect(subtract(balance, tenth)).toEqual(digit);
		}),
	);
});
