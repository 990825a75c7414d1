import { InvalidInputError } from './invalid-input';
import type { Explanation } from './number-text';
import { explainCommas, explainEnd, explainNumber } from './number-text';
import { quote } from './quote';
import { formatUnitsExact } from './units';

/** A decimal number, exact: `digits` divided by 10 to the power of `places`. */
export interface Decimal {
	readonly digits: bigint;
	/** 0 or more. */
	readonly places: number;
}

const NUMBER = /^(\d{1,500})(?:\.(\d{1,500}))?$/;
/** A number with a symbol. With gwei and wei it would say something else when it stood alone. */
const WITH_SYMBOL = /^(\d{1,80}(?:\.\d{1,80})?)\s+(?!g?wei$)\p{L}\S{0,40}$/iu;

function explainText(text: string): Explanation {
	const known = explainEnd(text) ?? explainCommas(text);
	if (known !== undefined) return known;
	if (text.startsWith('-') && NUMBER.test(text.slice(1))) {
		return { message: `${quote(text)} is negative`, hint: 'Give the amount without a sign' };
	}
	const message = `${quote(text)} is not an amount`;
	const [, number] = WITH_SYMBOL.exec(text) ?? [];
	if (number !== undefined) return { message, hint: `Give the number alone: ${number}` };
	const hint = 'Give digits, with a decimal point if there is a fraction, and nothing else: 12.5';
	return { message, hint };
}

/**
 * An amount in whole coins or tokens: digits, with a decimal point if there is a fraction. Nothing is rounded or guessed.
 *
 * @throws InvalidInputError for a comma, a sign, a unit, a number that JSON cannot hold exactly, and everything else.
 * @example parseWholeAmount('12.50', 'compareWith') // { digits: 1250n, places: 2 }
 */
export function parseWholeAmount(value: unknown, parameter: string): Decimal {
	if (typeof value === 'number' && Number.isFinite(value) && !Number.isSafeInteger(value)) {
		throw new InvalidInputError({ parameter, value, ...explainNumber(value) });
	}
	// JSON has no word for NaN and Infinity.
	const isPlain = typeof value === 'number' || typeof value === 'bigint';
	const text = isPlain
		? String(value)
		: typeof value === 'string'
			? value.trimStart()
			: quote(value);
	const parts = isPlain || typeof value === 'string' ? NUMBER.exec(text) : null;
	if (parts !== null) {
		const [, whole = '', fraction = ''] = parts;
		return { digits: BigInt(whole + fraction), places: fraction.length };
	}
	throw new InvalidInputError({ parameter, value, ...explainText(text) });
}

/** The digits of a number as they are with so many decimal places, which are no fewer than it has. */
function digitsAt({ digits, places }: Decimal, common: number): bigint {
	return digits * 10n ** BigInt(common - places);
}

/**
 * One number minus another, with as many decimal places as the one that has more: no digit is lost.
 *
 * @example subtract({ digits: 15n, places: 1 }, { digits: 125n, places: 2 }) // { digits: 25n, places: 2 }
 */
export function subtract(one: Decimal, other: Decimal): Decimal {
	const places = Math.max(one.places, other.places);
	return { digits: digitsAt(one, places) - digitsAt(other, places), places };
}

/**
 * A number as text, without zeros at the end of its fraction.
 *
 * @example formatDecimal({ digits: -1250n, places: 2 }) // '-12.5'
 */
export function formatDecimal({ digits, places }: Decimal): string {
	return formatUnitsExact(digits, places);
}
