import { MAX_INTEGER_DIGITS, parseIntegerText } from './integers';
import { InvalidInputError } from './invalid-input';
import {
	atMostPlaces,
	decimalPlaces,
	explainCommas,
	explainEnd,
	explainNumber,
} from './number-text';
import { quote } from './quote';

/** Decimal places of the units that an amount may name. */
export const UNIT_DECIMALS = { wei: 0, gwei: 9, ether: 18 } as const;

/** A named unit of the native coin. */
export type Unit = keyof typeof UNIT_DECIMALS;

/** How an amount is written in some place, given its number; for hints. */
export type AmountForms = (number: string) => string;

/** Options of `parseAmount`. */
export interface AmountOptions {
	/** What is read, for errors. */
	readonly parameter?: string;
	/** By default with a unit of the native coin. */
	readonly forms?: AmountForms;
}

const nativeForms: AmountForms = (number) => `${number} ether or ${number} gwei`;

/** Longest text of an amount, in characters. */
const MAX_LENGTH = MAX_INTEGER_DIGITS;

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?$/;
const WITH_UNIT = /^(\S+?)\s*(wei|gwei|ether)$/;
const WITH_POWER = /^(\S+?)\s*\*\s*10\s*\^\s*(\d{1,3})$/;
/** A number that a person wrote, alone or with a unit that is not known. */
const OWN_NUMBER = /^(-?\d{1,80}(?:\.\d{1,80})?)(?:\s+\p{L}+)?$/u;
/** For hints about a text that holds no number. */
const ANY_NUMBER = '1.5';

/**
 * An integer in base units as a decimal string, scaled by `decimals`: exact, canonical, without trailing zeros and
 * without a point if nothing follows it.
 *
 * @param decimals whole number, 0 or more
 * @example formatUnitsExact(1500000n, 6) // '1.5'
 * @example formatUnitsExact(1000000n, 6) // '1'
 */
export function formatUnitsExact(value: bigint, decimals: number): string {
	const sign = value < 0n ? '-' : '';
	const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0');
	const whole = digits.slice(0, digits.length - decimals);
	const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
	return fraction === '' ? `${sign}${whole}` : `${sign}${whole}.${fraction}`;
}

/**
 * A JSON number as text, or text without white space in front.
 *
 * @throws InvalidInputError for numbers that may have lost digits, text that is too long, and any other type.
 */
function amountText(value: unknown, parameter: string | undefined, forms: AmountForms): string {
	if (typeof value === 'string' && value.length <= MAX_LENGTH) return value.trimStart();
	if (typeof value === 'bigint' || Number.isSafeInteger(value)) return String(value);
	const refused = { parameter, value };
	if (typeof value === 'string') {
		throw new InvalidInputError({
			...refused,
			message: `${quote(value)} has ${value.length} characters`,
			hint: `Give at most ${MAX_LENGTH} characters, for example ${forms(ANY_NUMBER)}`,
		});
	}
	if (typeof value !== 'number') {
		throw new InvalidInputError({
			...refused,
			message: `${quote(value)} is not an amount`,
			hint: `Give the amount as text, for example ${forms(ANY_NUMBER)}`,
		});
	}
	const { message, hint } = explainNumber(value);
	const example = forms(Number.isInteger(value) ? ANY_NUMBER : String(value));
	throw new InvalidInputError({ ...refused, message, hint: `${hint}. For example ${example}` });
}

/** What is wrong with a text that is not a number, or not one with a unit. */
function explainText(text: string, forms: AmountForms): { message: string; hint: string } {
	const end = explainEnd(text);
	if (end !== undefined) return end;
	const lowerCase = text.toLowerCase();
	if (text !== lowerCase && WITH_UNIT.test(lowerCase)) {
		const message = `${quote(text)} is not an amount`;
		return { message, hint: `Write the unit in lower case: ${lowerCase}` };
	}
	const commas = explainCommas(text, forms);
	if (commas !== undefined) return commas;
	const [, number = ANY_NUMBER] = OWN_NUMBER.exec(text) ?? [];
	return {
		message: `${quote(text)} is not an amount`,
		hint: `Give digits without separators, and a unit if there is a fraction: ${forms(number)}`,
	};
}

/** What a number is to be scaled by. */
interface Scale {
	readonly decimals: number;
	/** What has so many decimal places. */
	readonly unit: string;
	/** The text that the number stands in. */
	readonly text: string;
	readonly value: unknown;
	readonly parameter: string | undefined;
	readonly forms: AmountForms;
}

function scale(number: string, { decimals, unit, text, value, parameter, forms }: Scale): bigint {
	const parts = NUMBER.exec(number);
	if (parts === null) {
		throw new InvalidInputError({ parameter, value, ...explainText(text, forms) });
	}
	const [, sign = '', whole = '', fraction = ''] = parts;
	if (fraction.length > decimals) {
		throw new InvalidInputError({
			parameter,
			value,
			message: `${quote(value)} has ${decimalPlaces(fraction.length)}`,
			hint: `${unit} has ${decimalPlaces(decimals)}: ${atMostPlaces(decimals)}, because an amount is never rounded`,
		});
	}
	return BigInt(`${sign}${whole}${fraction.padEnd(decimals, '0')}`);
}

/**
 * An amount in base units, as an integer or with an explicit unit: `1500000`, `1.5 ether`, `20 gwei`, `7 wei`,
 * `1.5 * 10^6`, `0x16e360`. White space in front and between the parts is optional; nothing is ever rounded or inferred.
 *
 * @throws InvalidInputError for a decimal point without a unit, for more decimal places than the unit has, for numbers
 * that a JSON number cannot hold exactly, and for anything else that is not an amount.
 * @example parseAmount('1.5 ether', { parameter: 'amount' }) // 1500000000000000000n
 */
export function parseAmount(
	given: unknown,
	{ parameter, forms = nativeForms }: AmountOptions = {},
): bigint {
	const text = amountText(given, parameter, forms);
	const integer = parseIntegerText(text);
	if (integer !== undefined) return integer;
	const about = { text, value: given, parameter, forms };
	const [, unitNumber, unit] = WITH_UNIT.exec(text) ?? [];
	if (unitNumber !== undefined && isUnit(unit)) {
		return scale(unitNumber, { ...about, unit, decimals: UNIT_DECIMALS[unit] });
	}
	const [, powerNumber, power] = WITH_POWER.exec(text) ?? [];
	if (powerNumber !== undefined) {
		return scale(powerNumber, { ...about, unit: `10^${power}`, decimals: Number(power) });
	}
	if (NUMBER.test(text)) {
		throw new InvalidInputError({
			parameter,
			value: given,
			message: `${quote(given)} has a decimal point but no unit`,
			hint: `Say which unit is meant: ${forms(text)}`,
		});
	}
	throw new InvalidInputError({ parameter, value: given, ...explainText(text, forms) });
}

/**
 * An amount in a unit that is chosen separately, in base units: the text has neither a minus sign nor a unit.
 *
 * @param unitDecimals decimal places of the chosen unit (see `UNIT_DECIMALS`)
 * @throws InvalidInputError for more decimal places than the unit has, a negative amount, and anything that is not a
 * number.
 * @example parseUnitAmount('1.5', UNIT_DECIMALS.gwei, 'value') // 1500000000n
 */
export function parseUnitAmount(value: unknown, unitDecimals: number, parameter?: string): bigint {
	const forms: AmountForms = (number) => number;
	const text = amountText(value, parameter, forms);
	const about = { text, value, parameter, forms };
	const amount = scale(text, { ...about, unit: 'The chosen unit', decimals: unitDecimals });
	if (amount >= 0n) return amount;
	throw new InvalidInputError({
		parameter,
		value,
		message: `${quote(value)} is negative`,
		hint: 'Give 0 or more',
	});
}

/**
 * Whether a value is the name of a unit.
 *
 * @example isUnit('gwei') // true
 */
export function isUnit(name: unknown): name is Unit {
	return typeof name === 'string' && Object.hasOwn(UNIT_DECIMALS, name);
}
