import fc from 'fast-check';

import {
	isAtLeast,
	nameOfAmount,
	toBaseUnits,
} from '../../../nodes/WalletService/values/amount.ts';
import { InvalidInputError } from '../../../nodes/WalletService/values/invalid-input.ts';

const places = fc.integer({ min: 0, max: 77 });
const digits = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
const power = (exponent: number): bigint => 10n ** BigInt(exponent);

it('base units are what BigInt says, or refused', () => {
	fc.assert(
		fc.property(digits, places, places, (one, own, decimals) => {
			const convert = () => toBaseUnits({ digits: one, places: own }, decimals, 'threshold');
			const scaled = one * power(decimals);
			if (scaled % power(own) === 0n) expect(convert()).toBe(scaled / power(own));
			else expect(convert).toThrow(InvalidInputError);
			expect(toBaseUnits({ digits: one, places: undefined }, decimals, 'threshold')).toBe(one);
		}),
	);
});

it('an amount that is refused is named, with the places it may have', () => {
	const convert = () => toBaseUnits({ digits: 12_345n, places: 3 }, 2, 'threshold');
	expect(convert).toThrow('"12.345" has more decimal places than the coin or token, which has 2');
	const hints = [2, 1, 0].map((decimals) => {
		const refused = () => toBaseUnits({ digits: 12_345n, places: 3 }, decimals, 'threshold');
		try {
			return refused();
		} catch (error) {
			return (error as InvalidInputError).hint;
		}
	});
	expect(hints).toEqual([
		'Give at most 2 decimal places: an amount is never rounded',
		'Give at most 1 decimal place: an amount is never rounded',
		'Give a whole number: an amount is never rounded',
	]);
});

it('at least is what BigInt says, also in base units', () => {
	fc.assert(
		fc.property(digits, places, digits, places, (one, decimals, other, own) => {
			const number = { digits: one, places: decimals };
			const expected = one * power(own) >= other * power(decimals);
			expect(isAtLeast(number, { digits: other, places: own })).toBe(expected);
			expect(isAtLeast(number, { digits: other, places: undefined })).toBe(one >= other);
		}),
	);
	expect(isAtLeast({ digits: 15n, places: 1 }, { digits: 150n, places: 2 })).toBe(true);
	expect(isAtLeast({ digits: 15n, places: 1 }, { digits: 151n, places: 2 })).toBe(false);
});

it('equal amounts have one name, and other ones another', () => {
	expect(nameOfAmount({ digits: 15n, places: 1 })).toBe('1.5');
	expect(nameOfAmount({ digits: 150n, places: 2 })).toBe('1.5');
	expect(nameOfAmount({ digits: 15n, places: undefined })).toBe('15 base units');
});
