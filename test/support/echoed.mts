/** The ways in which a service may echo a token, written independently of the code that must find them. */
import fc from 'fast-check';

/** The code of a character in hexadecimal digits, in either case. */
function digitsOf(char: string, length: number, isUpper: boolean): string {
	const digits = char.charCodeAt(0).toString(16).padStart(length, '0');
	return isUpper ? digits.toUpperCase() : digits;
}

const escaped = (char: string, isUpper: boolean): string => `\\u${digitsOf(char, 4, isUpper)}`;

const inPercent = (char: string, isUpper: boolean): string => `%${digitsOf(char, 2, isUpper)}`;

/** Writes each character in one of several forms, chosen by a list of random numbers. */
const inPieces =
	(forms: readonly ((char: string, isUpper: boolean) => string)[]) =>
	(text: string, choices: readonly number[]): string =>
		Array.from(text, (char, index) => {
			const choice = choices[index % choices.length] ?? 0;
			return forms[choice % forms.length]?.(char, choice % 2 === 0) ?? char;
		}).join('');

const stringified = (text: string): string => JSON.stringify(text).slice(1, -1);

/** The ways to write text between the quotes of a JSON string so that parsing restores it. */
export const JSON_FORMS: Readonly<
	Record<string, (text: string, choices: readonly number[]) => string>
> = {
	'as JSON.stringify writes it': stringified,
	'with escaped slashes': (text) => stringified(text).replaceAll('/', '\\/'),
	'with some characters as \\u00XX': inPieces([stringified, escaped]),
	'with all characters as \\u00XX': inPieces([escaped]),
};

/** The ways to write text in a URL so that decoding restores it. */
export const URL_FORMS: typeof JSON_FORMS = {
	'as encodeURIComponent writes it': (text) => encodeURIComponent(text),
	'with some characters percent-encoded': inPieces([encodeURIComponent, inPercent]),
	'with all characters percent-encoded': inPieces([inPercent]),
};

/** Numbers that select the form of each character. */
export const choices = fc.array(fc.nat(99), { minLength: 1, maxLength: 20 });

const WITHIN_MASK = '[access token removed]';

/** Whether a token could occur in the words that replace tokens, or arise at the edges of these words. */
function meetsMask(token: string): boolean {
	const edges = Array.from(token, (_char, at) => [token.slice(0, at + 1), token.slice(at)]).flat();
	const meetsEdge = (edge: string) => WITHIN_MASK.startsWith(edge) || WITHIN_MASK.endsWith(edge);
	return WITHIN_MASK.includes(token) || edges.some(meetsEdge);
}

/** Random tokens in the syntax of RFC 6750, section 2.1. */
export const realToken = fc
	.stringMatching(/^[\w.~+/=-]{8,60}$/)
	.filter((token) => !meetsMask(token));

/** Text around an echo, no part of which looks like the beginning of an encoded character. */
export const around = fc.string({ maxLength: 30 }).map((text) => text.replace(/[\\%]/g, ''));

/** All strings, names and numbers in a JSON value, as text. */
export function textsIn(value: unknown): string[] {
	if (typeof value !== 'object' || value === null) return [String(value)];
	return Object.entries(value).flatMap(([name, member]) => [name, ...textsIn(member)]);
}

const charOf = (_all: string, digits: string): string => String.fromCharCode(parseInt(digits, 16));

const unescaped = (text: string): string =>
	text.replace(/\\+u00([0-9a-f]{2})/gi, charOf).replace(/\\+(?=["'/\\])/g, '');

const decoded = (text: string): string => text.replace(/%([0-7][0-9a-f])/gi, charOf);

/** Whether a determined reader would find a token in a string. For tokens without backslashes or percent signs. */
export function findsToken(text: string, token: string): boolean {
	const plain = [unescaped, decoded, unescaped, decoded].reduce((rest, read) => read(rest), text);
	return [text, plain].some((one) => one.includes(token));
}
