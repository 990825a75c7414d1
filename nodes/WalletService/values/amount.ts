import type { Decimal } from './decimal';
import type { AmountForms } from './computed-number';
import { decimalPlaces, EXAMPLE, isInexact, refuseInexact } from './computed-number';
import { formatDecimal, plainNumber, rounded, writtenOut } from './decimal';
import { MAX_INTEGER_DIGITS, parseIntegerText } from './integers';
import { beginsWithMinus, isMultiple, isSpaced, meaningsOf, partsOfNotation } from './notations';
import type { Field } from './invalid-input';
import { refuse } from './invalid-input';
import { quote } from './quote';

/** Decimal places of the units of the native coin. */
export const UNIT_DECIMALS = { wei: 0, gwei: 9, ether: 18 } as const;

/** Examples with units of the native coin. @example NATIVE_FORMS('1.5') // '1.5 ether or 1.5 gwei' */
export const NATIVE_FORMS: AmountForms = (number) => `${number} ether or ${number} gwei`;

export interface Written extends Decimal {
	/** The whole text, without leading white space. */
	readonly text: string;
	/** The number without the unit. */
	readonly number: string;
	/** `wei`, `gwei`, `ether`, `base`, `10^6`, `token` or the symbol of a token; empty if nothing follows the number. */
	readonly unit: string;
	/** Decimal places of the unit, 0 for hexadecimal; absent for a token, whose decimal places are not known here. */
	readonly decimals?: number;
}

/** A token symbol: a word with a letter, apart from the number (unlike in `1e18`), not beginning with `*`. */
const SYMBOL_WORD = String.raw`(?=\S*\p{L})[^\s*]\S{0,99}`;
/** A symbol right behind a number: neither an exponent nor the rest of a hexadecimal number. */
const SYMBOL_BEHIND = String.raw`(?![xX]|[eE](?:[+-]?\d|$))\p{L}\S{0,99}`;
const AMOUNT = new RegExp(
	String.raw`^([+-]?(?:\d+(?:\.\d*)?|\.\d+))(?:\s*(wei|gwei|ether|base)|\s*(token)s?|\s*\*\s*10\s*\^\s*(\d{1,3})|\s+(${SYMBOL_WORD})|(${SYMBOL_BEHIND}))?$`,
	'u',
);

/** Whether a value is the name of a unit of the native coin. @example isUnit('gwei') // true */
export function isUnit(name: unknown): name is keyof typeof UNIT_DECIMALS {
	return typeof name === 'string' && Object.hasOwn(UNIT_DECIMALS, name);
}

/** Refuses a value that is not a number or has an unsuitable unit. */
function refuseForm(
	parameter: Field | undefined,
	given: Partial<Written> & Pick<Written, 'text'>,
	forms: AmountForms | undefined,
): never {
	const { text, number = EXAMPLE, decimals } = given;
	const unit = given.unit?.toLowerCase();
	const isForTokens = forms?.(number).includes('token') === true;
	const hasWords = /^-?\d[\d.]*\s+\p{L}\S*\s+\S/u.test(text);
	const isNamed = isUnit(unit) || unit === 'base';
	const because = isNamed ? `, because ${quote(given.unit)} is a unit` : '';
	const reason = hasWords ? ', because several words follow the number' : because;
	const message = `${quote(text)} is not an amount${reason}`;
	if (forms !== undefined && isNamed && (isUnit(unit) || isForTokens)) {
		const other = isForTokens ? `; for a token with this symbol write ${number} token` : '';
		refuse(parameter, message, `Write the unit in lower case: ${number} ${unit}${other}`);
	}
	// Without its unit, 1.5 gwei or 1.5k would be another amount, so the hint does not repeat the number.
	const isScaled =
		isMultiple(unit ?? '') || (unit !== 'ether' && (decimals !== undefined || isUnit(unit)));
	const meant = isScaled ? EXAMPLE : number;
	const hint =
		forms === undefined
			? `Enter digits only, such as ${meant}, with a decimal point for fractions`
			: `Enter digits without separators, and a unit for fractions: ${forms(meant)}`;
	return refuse(parameter, message, hint);
}

/** Wei and base units have no fractions. */
const UNIT = /^\s*(?:wei|gwei|ether|base|token|\*\s*10\s*\^\s*\d+)$/;
/** A unit that gives a number another meaning than whole tokens. */
const SCALED = /^\s*(?:wei|gwei|ether|base|\*)/i;

/** Corrects a number; its unit is kept if it is allowed. Empty if the number would mean something else without it. */
function corrected(number: string, unit: string, forms?: AmountForms): string {
	const examples = forms?.(number) ?? number;
	const example = unit
		.trim()
		.replace(/^g?wei$/, 'ether')
		.replace('base', 'token');
	const isAllowed = UNIT.test(unit) && examples.includes(`${number} ${example}`);
	const isFraction = number.includes('.') && /^(?:wei|base)$/.test(unit.trim());
	if (isAllowed && !isFraction) return `${number}${unit}`;
	return SCALED.test(unit) || isMultiple(unit) ? '' : examples;
}

/** Refuses text without a readable number, and explains why. */
function refuseText(parameter: Field | undefined, text: string, forms?: AmountForms): never {
	const end = text.slice(text.trimEnd().length);
	if (end !== '') {
		const what = /[\n\r\u2028\u2029]/.test(end) ? 'a line break' : 'white space';
		const isBare = what === 'white space' && /\d\s+$/.test(text);
		const hint = isBare
			? 'Check the expression for an empty unit. If you want no unit, remove the white space'
			: 'Remove all white space at the end';
		const lack = isBare ? '; its unit may be missing' : '';
		refuse(parameter, `${quote(text)} ends with ${what}${lack}`, hint);
	}
	const { number, exponent, unit } = partsOfNotation(text);
	const isShort = exponent !== undefined && AMOUNT.test(`1${unit}`);
	// What is wrong with a number that stands in the text as it is meant is what follows it.
	const others = meaningsOf(number).filter((one) => !(one === number && text.startsWith(one)));
	const meant = isShort ? writtenOut(number, exponent) : others;
	// A whole number may be allowed without a unit.
	const isWhole = isShort && unit === '' && !meant.join('').includes('.');
	const written = meant.map((one) => corrected(one, unit, isWhole ? undefined : forms));
	if (meant.length === 0 || written.includes('')) refuseForm(parameter, { text }, forms);
	const instead = /[.,].*[.,]/.test(number) ? 'and no other separators' : 'not a comma';
	const isComma = number.includes(',') && !isSpaced(number);
	const plain = isComma ? `Write a decimal point, ${instead}` : 'Write digits and a decimal point';
	const hint = isShort ? 'Write the number out' : plain;
	const foreign = isComma ? 'has a comma' : 'is not an amount in plain digits';
	const problem = isShort ? 'is in scientific notation' : foreign;
	const [whole = '', fraction] = written;
	const isEither = `Write ${whole} without a separator, or ${fraction} with a decimal point`;
	return refuse(parameter, `${quote(text)} ${problem}`, fraction ? isEither : `${hint}: ${whole}`);
}

/** Reads the text of an amount. @throws InvalidInputError for a number that may have lost digits, or for any other type. */
function givenText(value: unknown, parameter?: Field, forms?: AmountForms): string {
	const example = (): string => `for example ${forms?.(EXAMPLE) ?? EXAMPLE}`;
	if (isInexact(value)) refuseInexact(value, parameter, { forms });
	const isPlain = typeof value === 'number' || typeof value === 'bigint';
	const text = isPlain || typeof value === 'string' ? String(value) : '';
	if (text.length > MAX_INTEGER_DIGITS) {
		const hint = `Enter at most ${MAX_INTEGER_DIGITS} characters, ${example()}`;
		refuse(parameter, `${quote(text)} has ${text.length} characters`, hint);
	}
	// Behind a number that can have a unit, white space shows that the unit is missing.
	const shown = forms === undefined ? text.trim() : text.trimStart();
	if (shown !== '') return shown;
	const isNothing = text !== '' || value === '' || value === undefined || value === null;
	if (isNothing) refuse(parameter, 'The amount is missing', `Enter an amount, ${example()}`);
	return refuseForm(parameter, { text: quote(value) }, forms);
}

/**
 * Reads an amount in any of its forms: `1500000`, `12.5`, `0x16e360`, `1.5 ether`, `20 gwei`, `1.5 * 10^6`, `7 base`,
 * `12.5 token`, `12.5 SUSD`, or negative. White space before the number and between the parts is optional. Nothing is
 * rounded or guessed; the caller decides which of the forms are allowed.
 *
 * @param forms examples with a unit, for hints; absent where no unit is allowed
 * @throws InvalidInputError for commas, white space where a unit may be missing, a number that may have lost digits, and
 * any other value.
 * @example readWritten('12.50 SUSD', 'amount') // { text: '12.50 SUSD', number: '12.50', digits: 1250n, places: 2, unit: 'SUSD' }
 */
export function readWritten(value: unknown, parameter?: Field, forms?: AmountForms): Written {
	const text = givenText(value, parameter, forms);
	const [, given, coin, token, power, apart, symbol = apart] = AMOUNT.exec(text) ?? [];
	if (given === undefined) {
		const digits = parseIntegerText(text) ?? refuseText(parameter, text, forms);
		return { text, number: text, digits, places: 0, unit: '', decimals: 0 };
	}
	const number = plainNumber(given);
	const digits = BigInt(number.replace('.', ''));
	const written = { text, number, digits, places: number.split('.')[1]?.length ?? 0 };
	if (coin === 'base') return { ...written, unit: coin, decimals: 0 };
	if (isUnit(coin)) return { ...written, unit: coin, decimals: UNIT_DECIMALS[coin] };
	if (power !== undefined) return { ...written, unit: `10^${power}`, decimals: Number(power) };
	return { ...written, unit: token ?? symbol ?? '' };
}

/**
 * Reads an amount in whole coins or tokens: digits, with a decimal point for fractions.
 *
 * @param forms examples for hints; present if a unit of the native coin is allowed
 * @param accepts whether another unit is allowed
 * @throws InvalidInputError for a minus sign, any other unit, and the amounts that `readWritten` refuses.
 * @example parseWholeAmount('12.50', 'compareWith').digits // 1250n
 */
export function parseWholeAmount(
	value: unknown,
	parameter: Field,
	forms?: AmountForms,
	accepts: (written: Written) => boolean = () => false,
): Written {
	const refuseNegative = (text: string): never =>
		refuse(parameter, `${quote(text)} is negative`, 'Enter the amount without a minus sign');
	if (typeof value === 'string' && beginsWithMinus(value)) refuseNegative(value.trim());
	const written = readWritten(value, parameter, forms);
	const { text, unit, decimals } = written;
	if (text.startsWith('-')) refuseNegative(text);
	const isPlain = unit === '' && decimals === undefined;
	if (isPlain || (forms !== undefined && isUnit(unit)) || accepts(written)) return written;
	return refuseForm(parameter, written, forms);
}

/**
 * Converts an amount to base units, without rounding; only zeros may follow the last decimal place.
 *
 * @param decimals decimal places of the unit of the amount
 * @param unit the name of that unit, for errors
 * @throws InvalidInputError for an amount with more decimal places.
 * @example toBaseUnits({ digits: 1500n, places: 3 }, 1, 'amount') // 15n
 * @example toBaseUnits({ digits: 125n, places: 1 }, 6, 'amount', 'SUSD') // 12500000n
 */
export function toBaseUnits(
	amount: Decimal & Partial<Pick<Written, 'text'>>,
	decimals: number,
	parameter: Field | undefined,
	unit = 'The coin or token',
): bigint {
	const { digits, places } = amount;
	const one = 10n ** BigInt(Math.abs(places - decimals));
	if (places <= decimals) return digits * one;
	if (digits % one === 0n) return digits / one;
	const { text = formatDecimal({ digits, places }) } = amount;
	const atMost = decimals === 0 ? 'enter a whole number' : `enter at most ${decimals}`;
	const hint = `${unit} has ${decimalPlaces(decimals)}: ${atMost}, because amounts are never rounded`;
	const nearest = decimals === 0 ? undefined : rounded(amount, decimals);
	const more = nearest && `. Rounded: ${text.replace(/^[+-]?[\d.]+/, nearest)}`;
	return refuse(parameter, `${quote(text)} has ${decimalPlaces(places)}`, `${hint}${more ?? ''}`);
}

/**
 * Converts a whole number, or a number with a unit whose decimal places are known, to base units.
 *
 * @throws InvalidInputError for a token symbol, a decimal point without a unit, or too many decimal places.
 * @example inBaseUnits(readWritten('1.5 ether')) // 1500000000000000000n
 */
export function inBaseUnits(
	written: Written,
	parameter?: Field,
	forms: AmountForms = NATIVE_FORMS,
): bigint {
	const { text, number, unit, decimals, digits, places } = written;
	if (decimals !== undefined) return toBaseUnits(written, decimals, parameter, unit);
	if (unit !== '') refuseForm(parameter, written, forms);
	if (places === 0 || digits === 0n) return digits;
	const problem = `${quote(text)} has a decimal point but no unit`;
	return refuse(parameter, problem, `Add a unit: ${forms(number)}`);
}
