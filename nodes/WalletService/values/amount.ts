import type { Decimal } from './decimal';
import { formatDecimal } from './decimal';
import { refuse } from './invalid-input';
import { decimalPlaces } from './number-text';
import { quote } from './quote';

/**
 * An amount in base units of a coin or token: exact, never rounded.
 *
 * @param amount in whole coins or tokens
 * @param decimals decimal places of the coin or token
 * @throws InvalidInputError when the amount has digits that the coin or token cannot have.
 * @example toBaseUnits({ digits: 125n, places: 1 }, 6, 'threshold') // 12500000n
 */
export function toBaseUnits(amount: Decimal, decimals: number, parameter: string): bigint {
	const { digits, places } = amount;
	if (places <= decimals) return digits * 10n ** BigInt(decimals - places);
	const divisor = 10n ** BigInt(places - decimals);
	if (digits % divisor === 0n) return digits / divisor;
	const shown = formatDecimal(amount);
	return refuse(
		parameter,
		shown,
		`${quote(shown)} has more decimal places than the coin or token, which has ${decimals}`,
		`${decimals === 0 ? 'Give a whole number' : `Give at most ${decimalPlaces(decimals)}`}: an amount is never rounded`,
	);
}
