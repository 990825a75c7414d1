import { refuse } from './invalid-input';
import { isObject } from './objects';
import { quote } from './quote';

/**
 * Maximum number of digits of an integer, decimal or hexadecimal; the largest one of a contract has 78. Conversion takes
 * more than linear time: a few megabytes of digits would block n8n for many seconds.
 */
export const MAX_INTEGER_DIGITS = 1000;

/** The largest integer of a contract, and so the largest amount of any coin or token. */
export const MAX_UINT256 = 2n ** 256n - 1n;

const DECIMAL = new RegExp(`^-?\\d{1,${MAX_INTEGER_DIGITS}}$`);
const SIGNED_HEX = new RegExp(`^-?0x[0-9a-f]{1,${MAX_INTEGER_DIGITS}}$`, 'i');

/**
 * Whether a value is a BigNumber object (interface, section 2.2) with at most `MAX_INTEGER_DIGITS` digits.
 *
 * @example isBigNumber({ type: 'BigNumber', hex: '0x0a' }) // true
 */
export function isBigNumber(value: unknown): value is { type: 'BigNumber'; hex: string } {
	return (
		isObject(value) &&
		value.type === 'BigNumber' &&
		typeof value.hex === 'string' &&
		SIGNED_HEX.test(value.hex)
	);
}

/**
 * Parses an integer in decimal or `0x` hexadecimal, with an optional minus sign.
 *
 * @returns `undefined` for any other text, and for more than `MAX_INTEGER_DIGITS` digits
 * @example parseIntegerText('-0x0a') // -10n
 */
export function parseIntegerText(text: string): bigint | undefined {
	if (DECIMAL.test(text)) return BigInt(text);
	if (!SIGNED_HEX.test(text)) return undefined;
	return text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text);
}

/**
 * Reads an integer in any form that services send: a BigNumber object, a decimal or `0x` string, or a JSON number within
 * ±(2^53 - 1); `undefined` for anything else.
 *
 * @example readInteger({ type: 'BigNumber', hex: '0x0642f8' }) // 410360n
 */
export function readInteger(value: unknown): bigint | undefined {
	if (typeof value === 'bigint') return value;
	if (Number.isSafeInteger(value)) return BigInt(Number(value));
	const text = isBigNumber(value) ? value.hex : value;
	return typeof text === 'string' ? parseIntegerText(text) : undefined;
}

/**
 * Reads an integer as `readInteger` does.
 *
 * @throws InvalidInputError for anything else, and for a number beyond ±(2^53 - 1), whose last digits are already lost.
 * @example parseBigNumber('0x0642f8') // 410360n
 */
export function parseBigNumber(value: unknown): bigint {
	const integer = readInteger(value);
	if (integer !== undefined) return integer;
	const hint =
		'Expected: a BigNumber object, decimal text, 0x hexadecimal text, or a number within ±(2^53 - 1)';
	return refuse(undefined, `${quote(value)} is not an exact integer`, hint);
}

/**
 * Copies a JSON value with every BigNumber object, at any depth, turned into a decimal string; the rest is unchanged.
 *
 * @example bigNumbersToDecimal([{ type: 'BigNumber', hex: '0x0a' }, 'x']) // ['10', 'x']
 */
export function bigNumbersToDecimal(value: unknown): unknown {
	const root: Record<string, unknown> = { value };
	const pending = [root];
	// A work list instead of recursion, because answers can be nested to any depth.
	for (let holder = pending.pop(); holder !== undefined; holder = pending.pop()) {
		for (const key of Object.keys(holder)) {
			const member = holder[key];
			if (isBigNumber(member)) {
				holder[key] = parseBigNumber(member).toString();
			} else if (isObject(member)) {
				// Spreading creates own properties, so a key `__proto__` remains an ordinary key in the copy.
				const copy = Array.isArray(member) ? Object.assign([], member) : { ...member };
				holder[key] = copy;
				pending.push(copy);
			}
		}
	}
	return root.value;
}
