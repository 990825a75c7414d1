import { isObject } from './objects';

/** Control characters, bidirectional marks, characters without a glyph (also the Braille blank), lone surrogates. */
export const INVISIBLE = /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800]/gu;
/** White space except U+FEFF, which is invisible. */
const WHITE_SPACE = /[^\S\uFEFF]+/g;

/**
 * Interpreted where n8n shows text: HTML and code in its forms, hints, error descriptions and toasts, and `\n`, written as
 * two characters, as a line break in its forms. The escapes of `quote` are left.
 */
const MARKUP = /[<>&`]|\\(?!u[\da-f]{4}|")/gi;
const LOOKALIKES: Readonly<Record<string, string>> = { '<': '‹', '>': '›' };
/** Marks on one letter beyond those of any script in use: they would cover the lines above and below. */
const TOWER = /(?<=\p{M}{4})\p{M}+/gu;

/** Maximum length of a displayed name, in characters; enough for any real one. */
const MAX_WORDS = 60;
/** Reserved for the node's own text around a name. */
const OWN_SIGNS = /[\p{Ps}\p{Pe}‹›]|(?![.!?])\p{Terminal_Punctuation}/gu;
/** A hexadecimal digit, or a character similar to one. */
const DIGIT = String.raw`[\p{Nd}a-f\u0430\u0441\u0435\u0432\u0501\u03b1\u03b2\u03b5]`;
const DOTS = String.raw`(?:(?: ?[.\u00b7\u2022\u2027\u2219\u22c5\u30fb]){2,}| ?[\u22ef\u1801]) ?`;
const X = String.raw`[x\u00d7\u03c7\u0445\u04b3\u2715\u2716\u2a09]`;
/** The beginning of an address, whole or shortened by dots, also with a letter similar to x. */
const ADDRESS_START = new RegExp(
	String.raw`(?<![\p{L}\p{N}])(?:0${X})+[ .!?]*(?=${DIGIT}{8}|${DIGIT}{1,7}${DOTS}${DIGIT}|0${X})`,
	'giu',
);

/** What a person takes for a zero, an x, or a hexadecimal digit: also capitals in small, and letters of other alphabets. */
const ZERO = String.raw`[0o\u00f8\u03b8\u03bf\u043e\u0585\u1d0f\u3007\u25cb\u25ef\u2205]|(?![0-9])\p{Nd}`;
const NEARLY_X = String.raw`(?:${X}|[\u157d\u166e\u16b7\u2573\u2717\u2718\u274c\u292b\u2a2f\uab53])`;
const HEX = String.raw`(?:${DIGIT}|[\u0192\u0251\u0299\u03dd\u03f2\u0431\u0437\u0447\u044c\u1d00\u1d04\u1d05\u1d07\ua730])`;
const NEARLY_DIGIT = String.raw`(?:${HEX}|[oil|\u03bf\u043e\u0456\u0585])`;
const BETWEEN = String.raw`[^\p{L}\p{N}]`;
/** What stands for the middle of an address: two signs or more, or one that is not in ASCII. */
const SHORTENED = String.raw`(?:[^\p{L}\p{N}\s]{2,9}|[^\p{L}\p{N}\s!-~])`;
const [FROM, TO] = [String.raw`(?<![\p{L}\p{N}])`, String.raw`(?![\p{L}\p{N}])`];
/** What is left of an address, or looks like one: behind its beginning, as the whole name, or as a word that is no number. */
const LIKE_ADDRESS = new RegExp(
	String.raw`${FROM}(?:${ZERO})${BETWEEN}{0,2}${NEARLY_X}${BETWEEN}{0,3}(?:${NEARLY_DIGIT}{1,40}${BETWEEN}{1,6}${NEARLY_DIGIT}|(?=${NEARLY_DIGIT}{0,7}\p{Nd})${NEARLY_DIGIT}{4}|${HEX}{8})|^${HEX}{20,60}$|${FROM}(?=\p{Nd}{0,60}\p{L})${HEX}{36,60}${TO}`,
	'iu',
);
/** The beginning and the end of one, with a digit in either: `ada...bee` is a name. */
const SHORT = new RegExp(
	String.raw`${FROM}${NEARLY_DIGIT}{2,40} ?${SHORTENED} ?${NEARLY_DIGIT}{2,40}${TO}`,
	'giu',
);
/** Marks that turn the direction of writing. */
const TURNED = /[\u202a-\u202e\u2066-\u2069]/;

/** Alphabets with letters that look alike. East Asian scripts have none, and often appear next to Latin letters. */
const ALPHABETS = ['Latin', 'Greek', 'Cyrillic', 'Armenian', 'Cherokee', 'Coptic', 'Lisu'];
const UNMISTAKABLE = ['Common', 'Inherited', 'Han', 'Hangul', 'Hiragana', 'Katakana', 'Bopomofo'];
const KNOWN_SCRIPTS = [...ALPHABETS, ...UNMISTAKABLE].map((name) => `\\p{Script=${name}}`).join('');
const LETTERS_OF = [
	...ALPHABETS.map((name) => `\\p{Script=${name}}`),
	`[^\\P{L}${KNOWN_SCRIPTS}]`,
].map((letters) => new RegExp(letters, 'u'));

const isMixed = (word: string): boolean =>
	LETTERS_OF.filter((letters) => letters.test(word)).length > 1;

/** Removes invisible characters, and replaces each run of white space with one space. */
function withoutInvisible(text: string): string {
	return text.replace(WHITE_SPACE, ' ').replace(INVISIBLE, '');
}

/**
 * Makes untrusted text safe in a sentence or log line: it cannot move the cursor, change the writing direction, start a
 * line, or pass for HTML.
 *
 * @example inOneLine('No\u001b[2J <b>such\n\u202euser') // 'No[2J ‹b›such user'
 */
export function inOneLine(text: string): string {
	const inert = text.replace(MARKUP, (char) => LOOKALIKES[char] ?? ' ');
	return withoutInvisible(inert).replace(TOWER, '').replace(/ {2,}/g, ' ').trim();
}

/**
 * Makes a freely chosen name, such as the symbol of a token, safe to display. Anything that could pass for the node's
 * own text (an address in parentheses, the next sentence) is removed. A name that a person would read as an address is
 * quoted, and one with mixed alphabets is marked, because it may imitate another.
 *
 * @returns an empty string for a value that is not a string, or has no visible characters
 * @example foreignWords('SUSD (0xD0a8...0fcB)') // '"SUSD D0a8...0fcB"'
 * @example foreignWords('USDЖ') // 'USDЖ (mixed alphabets)'
 */
export function foreignWords(value: unknown): string {
	if (typeof value !== 'string') return '';
	// Normalization replaces letters and brackets of other widths with plain ones, and one character with up to 18.
	const read = value
		.slice(0, 10 * MAX_WORDS)
		.normalize('NFKC')
		.replaceAll('\\', ' ');
	const seen = inOneLine(inOneLine(read).replace(OWN_SIGNS, ' '));
	const start = inOneLine(seen.replace(ADDRESS_START, ' ')).slice(0, MAX_WORDS);
	const words = inOneLine(start.replace(/(?<![.!?])[.!?]+(?=\s|$)/g, ' '));
	// Its beginning may have been removed.
	const isLike = isLikeAddress(read) || isLikeAddress(words);
	const shown = isLike ? `"${inOneLine(words.replaceAll('"', ' '))}"` : words;
	return words.split(' ').some(isMixed) ? `${shown} (mixed alphabets)` : shown;
}

const looksLikeAddress = (seen: string): boolean =>
	LIKE_ADDRESS.test(seen) || seen.match(SHORT)?.some((one) => /\p{Nd}/u.test(one)) === true;

/**
 * Whether a person would read words as an address, whole or shortened, although its characters are others.
 *
 * @example isLikeAddress('Ox90F7...b906') // true
 * @example isLikeAddress('Oxford 12') // false
 */
export function isLikeAddress(words: string): boolean {
	const given = words.slice(0, 10 * MAX_WORDS);
	// Accents and frames around a letter leave it readable.
	const seen = withoutInvisible(given.normalize('NFKD').replace(/\p{M}+/gu, ''));
	return (
		looksLikeAddress(seen) ||
		(TURNED.test(given) && looksLikeAddress(Array.from(seen).reverse().join('')))
	);
}

/** Joins the first parts of a list, and counts the others. @example listed(['a', 'b', 'c'], 2) // 'a, b, and 1 more' */
export function listed(parts: readonly string[], most: number): string {
	const others = parts.length - most;
	return `${parts.slice(0, most).join(', ')}${others > 0 ? `, and ${others} more` : ''}`;
}

/** Maximum number of characters of a value in an error. */
const MAX_QUOTED = 80;

/**
 * Copies the beginning of a value, for an error. An answer can be too deep for `JSON.stringify`, which would
 * overflow the stack, or too long to serialize as a whole.
 */
function beginningOf(value: unknown): unknown {
	const seen = new Set<object>();
	// Each part of a value takes at least one character.
	let room = MAX_QUOTED;
	const copy = (given: unknown): unknown => {
		room -= 1;
		// Dates and some other objects define their own JSON value.
		const part: unknown =
			isObject(given) && typeof given.toJSON === 'function' ? given.toJSON() : given;
		if (typeof part === 'string') return part.slice(0, MAX_QUOTED);
		if (typeof part === 'bigint') return part.toString();
		if (!isObject(part)) return part;
		if (seen.has(part)) return '[repeated]';
		seen.add(part);
		const members: [name: string, value: unknown][] = [];
		const isList = Array.isArray(part);
		for (const [name, member] of Object.entries(isList ? [...part.slice(0, room)] : part)) {
			if (room <= 0) break;
			members.push([name.slice(0, MAX_QUOTED), copy(member)]);
		}
		return isList ? members.map(([, member]) => member) : Object.fromEntries(members);
	};
	return copy(value);
}

function withoutLimit(value: unknown): string {
	if (typeof value === 'bigint') return value.toString();
	if (value === undefined || typeof value === 'function' || typeof value === 'symbol')
		return typeof value;
	const escape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
	const escapeAll = (found: string) => String(JSON.parse(`"${found}"`)).replace(/[^]/g, escape);
	const json = JSON.stringify(beginningOf(value)).replace(/\\[bfnrt\\]|[<>&`]/g, escapeAll);
	return json.replace(INVISIBLE, escapeAll).replace(TOWER, escapeAll);
}

/**
 * Formats a value for an error message: JSON without invisible characters, markup and towers of marks, at most 80 characters, for values
 * of any length and depth.
 *
 * @example quote('0xabc\n') // '"0xabc\\u000a"'
 */
export function quote(value: unknown): string {
	const text = withoutLimit(value);
	if (text.length <= MAX_QUOTED) return text;
	// An escape is cut as a whole.
	return `${text.slice(0, MAX_QUOTED - 1).replace(/\\(?:u[\da-f]{0,3})?$/, '')}…`;
}
