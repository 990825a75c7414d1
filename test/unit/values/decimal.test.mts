/** Exact decimal numbers: formatted, read back and subtracted without rounding. */
import { formatUnits } from 'ethers';
import fc from 'fast-check';

import { parseWholeAmount } from '../../../nodes/WalletService/values/amount.ts';
import {
	formatDecimal,
	formatUnitsExact,
	parseDecimals,
	subtract,
} from '../../../nodes/WalletService/values/decimal.ts';
import { InvalidInputError } from '../../../nodes/WalletService/values/invalid-input.ts';
import { forAll } from '../support/for-all.mts';

const integer = fc.bigInt({ min: -(2n ** 255n), max: 2n ** 256n - 1n });

it.each([
	[1500000n, 6, '1.5'],
	[1000000n, 6, '1'],
	[0n, 18, '0'],
	[-1n, 18, '-0.000000000000000001'],
	[120n, 0, '120'],
	[1n, 255, `0.${'0'.repeat(254)}1`],
])('formatUnitsExact: %s with %i decimals is %s', (value, decimals, expected) => {
	expect(formatUnitsExact(value, decimals)).toBe(expected);
});

it('formatUnitsExact agrees with ethers', async () => {
	await forAll([integer, fc.integer({ min: 0, max: 77 })], 100, (value, decimals) => {
		const formatted = formatUnitsExact(value, decimals);
		expect(formatUnits(value, decimals).replace(/\.0$/, '')).toBe(formatted);
	});
});

it.each([18, '18', 0, '0', 255])('parseDecimals reads %p', (value) => {
	expect(parseDecimals(value)).toBe(Number(value));
});

it.each([-1, 256, '256', 1.5, '1.5', '', '0x12', null, undefined, [18]])(
	'parseDecimals refuses %p',
	(value) => {
		expect(() => parseDecimals(value)).toThrow(InvalidInputError);
	},
);

const places = fc.integer({ min: 0, max: 77 });
const digits = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
/** The number scaled by 10^77, so that two can be compared as integers. */
const scaled = (number: bigint, decimals: number): bigint => number * 10n ** BigInt(77 - decimals);

it('formatted numbers parse back, and differences are exact', async () => {
	await forAll([digits, places, digits, places], 100, (one, onePlaces, other, otherPlaces) => {
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
	});
});
