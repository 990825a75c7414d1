import fc from 'fast-check';

import { toBaseUnits } from '../../../nodes/WalletService/values/amount.ts';
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
