import type { Decimal } from './decimal';
import { formatDecimal, subtract } from './decimal';
import { InvalidInputError } from './invalid-input';
import { decimalPlaces } from './number-text';
import { quote } from './quote';

/** An amount as a user gives it, whose coin or token is not known yet. */
export interface Amount {
	readonly digits: bigint;
	/** Decimal places in whole coins or tokens; `undefined` for base units. */
	readonly places: number | undefined;
}

/** The amount in whole coins or tokens of so many decimals. */
function inWhole({ digits, places }: Amount, decimals: number): Decimal {
	return { digits, places: places ?? decimals };
}

/**
 * Whether a number of tokens, whose decimal places are the token's own, is an amount or more.
 *
 * @example isAtLeast({ digits: 12_500_000n, places: 6 }, { digits: 125n, places: 1 }) // true
 */
export function isAtLeast(number: Decimal, amount: Amount): boolean {
	return subtract(number, inWhole(amount, number.places)).digits >= 0n;
}

/**
 * An amount in base units of a coin or token: exact, never rounded.
 *
 * @param decimals decimal places of the coin or token
 * @throws InvalidInputError when the amount has digits that the coin or token cannot have.
 * @example toBaseUnits({ digits: 125n, places: 1 }, 6, 'threshold') // 12500000n
 */
export function toBaseUnits(amount: Amount, decimals: number, parameter: string): bigint {
	const { digits, places } = inWhole(amount, decimals);
	if (places <= decimals) return digits * 10n ** BigInt(decimals - places);
	const divisor = 10n ** BigInt(places - decimals);
	if (digits % divisor === 0n) return digits / divisor;
	const shown = formatDecimal({ digits, places });
	throw new InvalidInputError({
		parameter,
		value: shown,
		message: `${quote(shown)} has more decimal places than the coin or token, which has ${decimals}`,
		hint: `${decimals === 0 ? 'Give a whole number' : `Give at most ${decimalPlaces(decimals)}`}: an amount is never rounded`,
	});
}

/**
 * An amount as text that is the same for equal amounts.
 *
 * @example nameOfAmount({ digits: 1250n, places: 2 }) // '12.5'
 */
export function nameOfAmount({ digits, places }: Amount): string {
	return places === undefined ? `${digits} base units` : formatDecimal({ digits, places });
}
