import { MAX_INTEGER_DIGITS, parseIntegerText } from './integers';
import { InvalidInputError } from './invalid-input';
import { quote } from './quote';

/** Decimal places of the units that an amount may name. */
export const UNIT_DECIMALS = { wei: 0, gwei: 9, ether: 18 } as const;

/** A named unit of the native coin. */
export type Unit = keyof typeof UNIT_DECIMALS;

/** How an amount with a unit is written, for hints. */
export const AMOUNT_FORMS =
	'1500000, 1.5 ether, 20 gwei, 7 wei, or 1.5 * 10^6 for a token with 6 decimals';

/** Longest text of an amount, in characters. */
const MAX_LENGTH = MAX_INTEGER_DIGITS;

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?$/;
const WITH_UNIT = /^(\S+?)\s*(wei|gwei|ether)$/;
const WITH_POWER = /^(\S+?)\s*\*\s*10\s*\^\s*(\d{1,3})$/;

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
 * A JSON number as text, or text without surrounding white space.
 *
 * @throws InvalidInputError for numbers that may have lost digits, text that is too long, and any other type.
 */
function amountText(value: unknown, parameter: string | undefined): string {
	if (typeof value === 'string' && value.length <= MAX_LENGTH) return value.trim();
	if (typeof value === 'bigint' || Number.isSafeInteger(value)) return String(value);
	const refused = { parameter, value };
	if (typeof value === 'string') {
		throw new InvalidInputError({
			...refused,
			message: `${quote(value)} has ${value.length} characters`,
			hint: `Give at most ${MAX_LENGTH} characters, for example ${AMOUNT_FORMS}`,
		});
	}
	if (typeof value !== 'number') {
		throw new InvalidInputError({
			...refused,
			message: `${quote(value)} is not an amount`,
			hint: `Give the amount as text, for example ${AMOUNT_FORMS}`,
		});
	}
	const reason = Number.isInteger(value)
		? 'lies beyond 2^53, where a JSON number has already lost its last digits'
		: 'is a number with a fraction, which a computer holds only approximately';
	throw new InvalidInputError({
		...refused,
		message: `${String(value)} ${reason}`,
		hint: `Give it as text in quotes, for example ${AMOUNT_FORMS}`,
	});
}

function scale(number: string, decimals: number, value: unknown, parameter?: string): bigint {
	const parts = NUMBER.exec(number);
	if (parts === null) {
		throw new InvalidInputError({
			parameter,
			value,
			message: `${quote(value)} is not an amount`,
			hint: `Give digits without separators, with a unit if there is a fraction: ${AMOUNT_FORMS}`,
		});
	}
	const [, sign = '', whole = '', fraction = ''] = parts;
	if (fraction.length > decimals) {
		throw new InvalidInputError({
			parameter,
			value,
			message: `${quote(value)} has ${fraction.length} decimal places, but the unit has only ${decimals}`,
			hint: `Give at most ${decimals} decimal places: an amount is never rounded`,
		});
	}
	return BigInt(`${sign}${whole}${fraction.padEnd(decimals, '0')}`);
}

/**
 * An amount in base units, as an integer or with an explicit unit: `1500000`, `1.5 ether`, `20 gwei`, `7 wei`,
 * `1.5 * 10^6`, `0x16e360`. White space around the parts is optional; nothing is ever rounded or inferred.
 *
 * @throws InvalidInputError for a decimal point without a unit, for more decimal places than the unit has, for numbers
 * that a JSON number cannot hold exactly, and for anything else that is not an amount.
 * @example parseAmount('1.5 ether', { parameter: 'amount' }) // 1500000000000000000n
 */
export function parseAmount(value: unknown, { parameter }: { parameter?: string } = {}): bigint {
	const text = amountText(value, parameter);
	const integer = parseIntegerText(text);
	if (integer !== undefined) return integer;
	const [, unitNumber, unit] = WITH_UNIT.exec(text) ?? [];
	if (unitNumber !== undefined && isUnit(unit)) {
		return scale(unitNumber, UNIT_DECIMALS[unit], value, parameter);
	}
	const [, powerNumber, power] = WITH_POWER.exec(text) ?? [];
	if (powerNumber !== undefined) return scale(powerNumber, Number(power), value, parameter);
	if (NUMBER.test(text)) {
		throw new InvalidInputError({
			parameter,
			value,
			message: `${quote(value)} has a decimal point but no unit`,
			hint: `Say which unit is meant: ${AMOUNT_FORMS}`,
		});
	}
	return scale(text, 0, value, parameter);
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
	const text = amountText(value, parameter);
	const amount = scale(text, unitDecimals, value, parameter);
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
