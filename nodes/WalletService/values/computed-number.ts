import { rounded, writtenOut } from './decimal';
import type { Field } from './invalid-input';
import { refuse } from './invalid-input';

/** Formats a number as example amounts with units, for hints. */
export type AmountForms = (number: string) => string;

export const EXAMPLE = '12.5';

/** A number of at most 15 significant digits: its shortest text is the number that was entered. */
const EXACT_NUMBER = /^-?[0.]*(?:\d\.?){1,15}$/;

/**
 * A number of decimal places in words.
 *
 * @example decimalPlaces(1) // '1 decimal place'
 */
export const decimalPlaces = (count: number): string =>
	`${count === 0 ? 'no' : count} decimal place${count === 1 ? '' : 's'}`;

/**
 * Whether a value is a number that may differ from the intended one, such as 100 / 3.
 *
 * @example isInexact(100 / 3) // true
 */
export function isInexact(value: unknown): value is number {
	if (typeof value !== 'number' || !Number.isFinite(value)) return false;
	return !Number.isSafeInteger(value) && !EXACT_NUMBER.test(String(value));
}

/** The value with 15 significant digits, which no computation has made wrong, rounded to the decimal places of an asset. */
function proposalFor(value: number, decimals?: number): string | undefined {
	const [number = '', exponent = '0'] = value.toPrecision(15).split('e');
	const [exact = '0'] = writtenOut(number, exponent);
	const places = exact.split('.')[1]?.length ?? 0;
	return rounded({ digits: BigInt(exact.replace('.', '')), places }, decimals ?? places);
}

/**
 * Refuses a number that may have lost digits, with its rounded value to paste.
 *
 * @param about examples of amounts with units, and the decimal places of the asset, as far as they are known
 * @throws InvalidInputError always
 * @example refuseInexact(4.35 * 100, 'amount', { decimals: 6 }) // throws InvalidInputError
 */
export function refuseInexact(
	value: number,
	parameter: Field | undefined,
	{ forms = String, decimals }: { readonly forms?: AmountForms; readonly decimals?: number },
): never {
	const proposal = proposalFor(value, decimals);
	const of = decimals === undefined ? '' : ` to ${decimalPlaces(decimals)}`;
	const instead = proposal === undefined ? '' : ` write ${forms(proposal)} (rounded${of}),`;
	const problem = `${String(value)} cannot be read exactly from a number`;
	const hint = `Use a text field or column (in JSON, quotes),${instead} or round it to at most 15 digits, for example ${forms(EXAMPLE)}`;
	return refuse(parameter, problem, hint);
}
