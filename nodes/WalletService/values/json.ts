import { MAX_INTEGER_DIGITS } from './integers';
import type { Field } from './invalid-input';
import { refuse } from './invalid-input';
import { isItem, isObject } from './objects';
import { quote } from './quote';

/** The beginning of a number token that may lose digits. A match inside a string costs time, but does no harm. */
const MAY_LOSE_DIGITS = /(?:^|[[:,\s])-?\d(?:[\d.]{15}|[\d.]*[eE])/;
const QUOTE_OR_NUMBER = /"|-?\d[\d.]*(?:[eE][+-]?\d+)?/g;
const NUMBER_PARTS = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Splits a number token into signed significant digits and the power of ten that multiplies them; no digits for zero. */
function readToken(text: string): { digits: string; exponent: number } {
	const [, sign = '', whole = '', fraction = '', power = '0'] = NUMBER_PARTS.exec(text) ?? [];
	const all = `${whole}${fraction}`.replace(/^0+/, '');
	let end = all.length;
	// `/0+$/` would take quadratic time for many zeros before another digit.
	while (all[end - 1] === '0') end -= 1;
	if (end === 0) return { digits: '', exponent: 0 };
	const exponent = Number(power) - fraction.length + all.length - end;
	return { digits: `${sign}${all.slice(0, end)}`, exponent };
}

/** Turns a fraction that a double cannot represent into a string token, because it could be rounded to an integer. */
function keepFraction(token: string): string {
	const { digits, exponent } = readToken(token);
	if (exponent >= 0) return token;
	const kept = readToken(String(Number(token)));
	return kept.digits === digits && kept.exponent === exponent ? token : `"${token}"`;
}

/** Returns the number token itself if a double represents its value, else a string token with all its digits. */
function keepDigits(token: string): string {
	const { digits, exponent } = readToken(token);
	if (exponent < 0 || Number.isSafeInteger(Number(token))) return keepFraction(token);
	// `1e999999999` must not fill the memory.
	const isShort = digits.replace('-', '').length + exponent <= MAX_INTEGER_DIGITS;
	return isShort ? `"${digits}${'0'.repeat(exponent)}"` : `"${token}"`;
}

function endOfString(text: string, start: number): number {
	let end = start + 1;
	while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
	return end + 1;
}

/**
 * Replaces the numbers of valid JSON with string tokens if a double cannot represent them. Strings are skipped without
 * a regular expression, which would overflow the stack after a few million escapes.
 */
function withExactNumbers(text: string, keep: (token: string) => string): string {
	const tokens = QUOTE_OR_NUMBER;
	tokens.lastIndex = 0;
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

/**
 * Parses JSON with a typed error, for input whose inexact numbers are refused later, not repaired: an integer beyond
 * ±(2^53 - 1) remains a number, and a fraction that a double cannot represent becomes its original text.
 *
 * @param parameter the node parameter that holds the text, for errors
 * @param what the name of the text in errors; by default, its beginning is quoted
 * @param keep replaces a number token that may lose digits
 * @throws InvalidInputError if the text is not JSON.
 * @example parseJson('{"to":["DISCORD-1"]}') // { to: ['DISCORD-1'] }
 */
export function parseJson(
	text: string,
	parameter?: Field,
	what?: string,
	keep = keepFraction,
): unknown {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		const hint =
			'Enter valid JSON: double quotes around names and text, no comma after the last entry';
		refuse(parameter, `${what ?? quote(text)} is not JSON: ${reason}`, hint);
	}
	return MAY_LOSE_DIGITS.test(text) ? JSON.parse(withExactNumbers(text, keep)) : value;
}

/** A string of JSON, with the colon behind it if it is the name of a member; one without end extends to the end of the text. */
const NAME = /"[^"\\]*(?:\\[^][^"\\]*)*(?:"(\s*:)?|\\?$)/g;

/**
 * Parses JSON that decides what is sent. Data that is inserted into the text could name a member again, and the last one
 * would count.
 *
 * @param what the name of the text in errors; by default, its beginning is quoted
 * @throws InvalidInputError if the text is not JSON, or an object in it names a member twice.
 * @example parseUnambiguousJson('{"to":"DISCORD-1","to":"DISCORD-2"}', 'args') // throws InvalidInputError
 */
export function parseUnambiguousJson(text: string, parameter: Field, what?: string): unknown {
	const value = parseJson(text, parameter, what);
	// A list of a million numbers is read at once.
	if (!text.includes('{')) return value;
	let names = 0;
	for (const [, colon] of text.matchAll(NAME)) if (colon !== undefined) names += 1;
	const pending = [value];
	while (pending.length > 0) {
		const part = pending.pop();
		if (!isObject(part)) continue;
		const members = Object.values(part);
		if (!Array.isArray(part)) names -= members.length;
		for (const member of members) pending.push(member);
	}
	if (names === 0) return value;
	const hint =
		'Remove one of the two. If data is inserted into the text, use a list, or an expression for the whole object';
	return refuse(parameter, `${what ?? quote(text)} names an entry twice`, hint);
}

/**
 * Parses JSON without loss of digits: an integer beyond ±(2^53 - 1), also in exponent notation, becomes its exact
 * decimal string; a fraction that a double cannot represent becomes its original text.
 *
 * A reviver cannot replace this while n8n supports Node.js 20, whose `JSON.parse` does not pass it the text of a
 * number.
 *
 * @throws InvalidInputError if the text is not JSON.
 * @example parseJsonExact('{"n":9007199254740993,"m":1.5}') // { n: '9007199254740993', m: 1.5 }
 */
export function parseJsonExact(text: string): unknown {
	return parseJson(text, undefined, undefined, keepDigits);
}

/**
 * Decodes the claims of a JSON Web Token, without verifying it, so the caller must trust its source; `undefined` for any
 * other text.
 *
 * @example claimsOf('e30.eyJzdWIiOiJESVNDT1JELTEifQ.x') // { sub: 'DISCORD-1' }
 */
export function claimsOf(token: string): Readonly<Record<string, unknown>> | undefined {
	const [, payload = ''] = token.split('.');
	try {
		const characters = atob(payload.replace(/-/g, '+').replace(/_/g, '/'));
		const bytes = Uint8Array.from(characters, (character) => character.charCodeAt(0));
		const claims: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
		return isItem(claims) ? claims : undefined;
	} catch {
		return undefined;
	}
}
