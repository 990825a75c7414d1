import type { Field } from './invalid-input';
import { refuse } from './invalid-input';
import { quote } from './quote';

const MAX_DECIMALS = 255;

/** An exact decimal number: `digits` divided by 10 to the power of `places`. */
export interface Decimal {
	readonly digits: bigint;
	/** 0 or more. */
	readonly places: number;
}

/** The digits of a number at a given number of decimal places, not fewer than its own. */
function digitsAt({ digits, places }: Decimal, common: number): bigint {
	return digits * 10n ** BigInt(common - places);
}

/**
 * Subtracts `other` from `one`. The result has the larger number of decimal places, so no digit is lost.
 *
 * @example subtract({ digits: 15n, places: 1 }, { digits: 125n, places: 2 }) // { digits: 25n, places: 2 }
 */
export function subtract(one: Decimal, other: Decimal): Decimal {
	const places = Math.max(one.places, other.places);
	return { digits: digitsAt(one, places) - digitsAt(other, places), places };
}

/** Each run of zeros is read once; without the look behind, it would be read from each of them. */
const TRAILING_ZEROS = /(?<!0)0+$/;

/**
 * Formats an integer in base units as a decimal string, scaled by `decimals`: exact, without trailing zeros or a
 * trailing point.
 *
 * @param decimals whole number, 0 or more
 * @example formatUnitsExact(1500000n, 6) // '1.5'
 */
export function formatUnitsExact(value: bigint, decimals: number): string {
	const sign = value < 0n ? '-' : '';
	const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0');
	const whole = digits.slice(0, digits.length - decimals);
	const fraction = digits.slice(digits.length - decimals).replace(TRAILING_ZEROS, '');
	return fraction === '' ? `${sign}${whole}` : `${sign}${whole}.${fraction}`;
}

/**
 * Formats a number without trailing zeros in its fraction.
 *
 * @example formatDecimal({ digits: -1250n, places: 2 }) // '-12.5'
 */
export function formatDecimal({ digits, places }: Decimal): string {
	return formatUnitsExact(digits, places);
}

/** Maximum number of decimal places, or of appended zeros, of a number that is written out. */
const MAX_SHIFT = 80;

/**
 * Writes out a number with an exponent; an empty list if it is not a number, or would be too long to read.
 *
 * @example writtenOut('1.5', '-3') // ['0.0015']
 */
export function writtenOut(number: string, exponent: string): string[] {
	const plain = plainNumber(number);
	const places = (/^-?\d+(?:\.|(?=$))(\d*)$/.exec(plain)?.[1]?.length ?? NaN) - Number(exponent);
	if (!(Math.abs(places) <= MAX_SHIFT)) return [];
	const digits = BigInt(plain.replace('.', '')) * 10n ** BigInt(Math.max(0, -places));
	return [formatDecimal({ digits, places: Math.max(0, places) })];
}

/**
 * Rounds a number to the nearest one with fewer decimal places, as a proposal: no amount is rounded unasked.
 *
 * @returns `undefined` if nothing is left of it
 * @example rounded({ digits: 43499999999999994n, places: 14 }, 6) // '435'
 */
export function rounded({ digits, places }: Decimal, most: number): string | undefined {
	const one = 10n ** BigInt(Math.max(0, places - most));
	const half = digits < 0n ? -one / 2n : one / 2n;
	const nearest = (digits + half) / one;
	return nearest === 0n
		? undefined
		: formatDecimal({ digits: nearest, places: Math.min(places, most) });
}

/** Like `parseDecimals`, but returns `undefined` instead of refusing a value. @example readDecimals('0x12') // undefined */
export function readDecimals(value: unknown): number | undefined {
	const isText = typeof value === 'string' && /^\d{1,3}$/.test(value);
	const decimals = isText ? Number(value) : value;
	const isValid = typeof decimals === 'number' && Number.isInteger(decimals);
	return isValid && decimals >= 0 && decimals <= MAX_DECIMALS ? decimals : undefined;
}

/**
 * Reads the number of decimal places of an asset; the service sends a number or a string, such as 18 or "18"
 * (interface, section 2.3).
 *
 * @throws InvalidInputError unless it is a whole number from 0 to 255 (the uint8 of ERC-20's `decimals`).
 * @example parseDecimals('18') // 18
 */
export function parseDecimals(value: unknown, parameter: Field = 'decimals'): number {
	const decimals = readDecimals(value);
	if (decimals !== undefined) return decimals;
	const problem = `${quote(value)} is not a number of decimal places`;
	return refuse(parameter, problem, `Enter a whole number from 0 to ${MAX_DECIMALS}`);
}

/**
 * Writes a number with a digit on both sides of its point, and without a plus sign.
 *
 * @example plainNumber('+.5') // '0.5'
 * @example plainNumber('5.') // '5'
 */
export function plainNumber(number: string): string {
	return number
		.replace('+', '')
		.replace(/^(-?)\./, '$10.')
		.replace(/\.$/, '');
}
