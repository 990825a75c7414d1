import { MAX_INTEGER_DIGITS } from './integers';
import { InvalidInputError } from './invalid-input';
import { quote } from './quote';

/** Only a number token can follow these characters; a match inside a string costs time, not exactness. */
const MAY_LOSE_DIGITS = /(?:^|[[:,\s])-?\d(?:[\d.]{15}|[\d.]*[eE])/;
const QUOTE_OR_NUMBER = /"|-?\d[\d.]*(?:[eE][+-]?\d+)?/g;
const NUMBER_PARTS = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

interface NumberToken {
	readonly sign: string;
	/** Significant digits, without zeros at either end; empty for zero. */
	readonly digits: string;
	/** Number of zeros after the digits; if negative, of decimal places. */
	readonly exponent: number;
}

/** Not by `/0+$/`, which starts over at each of many zeros before another digit. */
function withoutTrailingZeros(digits: string): string {
	let end = digits.length;
	while (digits[end - 1] === '0') end -= 1;
	return digits.slice(0, end);
}

function readDecimal(text: string): NumberToken | undefined {
	const parts = NUMBER_PARTS.exec(text);
	if (parts === null) return undefined;
	const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts;
	const significant = `${whole}${fraction}`.replace(/^0+/, '');
	const digits = withoutTrailingZeros(significant);
	if (digits === '') return { sign: '', digits, exponent: 0 };
	const zeros = significant.length - digits.length;
	return { sign, digits, exponent: Number(exponent) - fraction.length + zeros };
}

function isSame(one: NumberToken, other: NumberToken | undefined): boolean {
	return one.sign === other?.sign && one.digits === other.digits && one.exponent === other.exponent;
}

/** A fraction that no double represents as a string token: rounded, it could pass for an integer. */
function keepFraction(token: string): string {
	const decimal = readDecimal(token);
	if (decimal === undefined || decimal.exponent >= 0) return token;
	return isSame(decimal, readDecimal(String(Number(token)))) ? token : `"${token}"`;
}

/** The number token itself if a double represents its value, else a string token with all its digits. */
function keepDigits(token: string): string {
	const decimal = readDecimal(token);
	if (decimal === undefined) return token;
	const number = Number(token);
	const { sign, digits, exponent } = decimal;
	if (exponent >= 0 && !Number.isSafeInteger(number)) {
		// `1e999999999` must not fill the memory.
		const isShort = digits.length + exponent <= MAX_INTEGER_DIGITS;
		return isShort ? `"${sign}${digits}${'0'.repeat(exponent)}"` : `"${token}"`;
	}
	return keepFraction(token);
}

/** Whether the character at `index` is escaped: preceded by an odd number of backslashes. */
function isEscaped(text: string, index: number): boolean {
	let first = index;
	while (text[first - 1] === '\\') first -= 1;
	return (index - first) % 2 === 1;
}

/** Index after the string that begins at `start`. */
function endOfString(text: string, start: number): number {
	let end = text.indexOf('"', start + 1);
	while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
	return end + 1;
}

/**
 * Valid JSON in which numbers that a double cannot represent are string tokens. Strings are skipped by hand: a regular
 * expression for a string with escapes overflows the stack after some millions of them.
 */
function withExactNumbers(text: string, keep: (token: string) => string): string {
	const tokens = new RegExp(QUOTE_OR_NUMBER);
	let exact = '';
	let copied = 0;
	for (let match = tokens.exec(text); match !== null; match = tokens.exec(text)) {
		const [token] = match;
		if (token === '"') {
			tokens.lastIndex = endOfString(text, match.index);
			continue;
		}
		const kept = keep(token);
		if (kept === token) continue;
		exact += text.slice(copied, match.index) + kept;
		copied = tokens.lastIndex;
	}
	return exact + text.slice(copied);
}

function tryParse(text: string): { readonly value: unknown } | { readonly reason: string } {
	try {
		const value: unknown = JSON.parse(text);
		return { value };
	} catch (error) {
		return { reason: error instanceof Error ? error.message : String(error) };
	}
}

/**
 * `JSON.parse` with a typed error, for input in which a number that has lost digits is to be refused, not repaired: an integer
 * beyond ±(2^53 - 1) stays one, a fraction that a double cannot represent becomes a string as it was written.
 *
 * @param parameter the node parameter that holds the text, for errors
 * @param what what errors call the text; unless given, its beginning is quoted
 * @param keep what becomes of a number token that may lose digits
 * @throws InvalidInputError when the text is not JSON.
 * @example parseJson('{"to":["DISCORD-1"]}') // { to: ['DISCORD-1'] }
 */
export function parseJson(
	text: string,
	parameter?: string,
	what = quote(text),
	keep = keepFraction,
): unknown {
	const parsed = tryParse(text);
	if ('value' in parsed) {
		return MAY_LOSE_DIGITS.test(text) ? JSON.parse(withExactNumbers(text, keep)) : parsed.value;
	}
	throw new InvalidInputError({
		parameter,
		value: text,
		message: `${what} is not JSON: ${parsed.reason}`,
		hint: 'Give valid JSON: double quotes around names and texts, no comma after the last entry',
	});
}

/**
 * `JSON.parse` without loss of digits: an integer beyond ±(2^53 - 1), also in exponent notation, becomes its exact decimal
 * string; a fraction that a double cannot represent becomes a string as it was written.
 *
 * Written by hand as long as n8n runs on Node.js 20, whose `JSON.parse` does not give a reviver the source text of a number.
 *
 * @throws InvalidInputError when the text is not JSON.
 * @example parseJsonExact('{"n":9007199254740993,"m":1.5}') // { n: '9007199254740993', m: 1.5 }
 */
export function parseJsonExact(text: string): unknown {
	return parseJson(text, undefined, undefined, keepDigits);
}
