/** Up to 256 bits: longer ones take time, and fit no type. */
const INTEGER = /^-?\d{1,78}$/;

/** Maximum depth; no type is nested more deeply. */
const MAX_DEPTH = 200;

/** The third argument of a `JSON.parse` reviver, which TypeScript's library does not declare yet. */
interface ReviverContext {
	/** Source text of a number. */
	source?: string;
}

/** JSON with too many values, or too deep. */
export class TooLarge extends Error {}

/** JSON with an object that has a name twice. */
export class NamedTwice extends Error {}

/** The place of the quotation mark that ends the string which begins at a place. */
function endOfString(text: string, start: number): number {
	let at = start + 1;
	while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
	return at;
}

/**
 * The number of names in JSON. Refuses a large one before it is parsed, which would take long.
 *
 * @param most maximum number of values without parts, which only commas separate
 * @throws TooLarge
 */
function namesIn(text: string, most: number): number {
	let depth = 0;
	let values = 1;
	let names = 0;
	for (let at = 0; at < text.length; at++) {
		const character = text[at];
		if (character === '"') at = endOfString(text, at);
		else if (character === ',') values++;
		else if (character === ':') names++;
		else if (character === '[' || character === '{') depth++;
		else if (character === ']' || character === '}') depth--;
		if (values > most || depth > MAX_DEPTH) throw new TooLarge();
	}
	return names;
}

/** Number of members of all objects in a value. */
function membersOf(value: unknown): number {
	if (typeof value !== 'object' || value === null) return 0;
	const parts: unknown[] = Object.values(value);
	const own = Array.isArray(value) ? 0 : parts.length;
	return parts.reduce<number>((total, part) => total + membersOf(part), own);
}

/**
 * Parses JSON that is neither large nor ambiguous: of a name that is given twice, only the last value would count.
 *
 * @param most maximum number of values without parts
 * @param parse parses the text
 * @throws TooLarge, NamedTwice, or what `parse` throws
 */
export function parseUnambiguous(
	text: string,
	most: number,
	parse: (text: string) => unknown,
): unknown {
	const names = namesIn(text, most);
	const value = parse(text);
	if (membersOf(value) !== names) throw new NamedTwice();
	return value;
}

/**
 * Like `JSON.parse`, but returns integers as bigint, so that they are exact.
 *
 * @param most maximum number of values without parts
 * @throws SyntaxError, TooLarge, NamedTwice
 */
export function parseExactJson(text: string, most: number): unknown {
	const revive = (_key: string, value: unknown, context?: ReviverContext): unknown => {
		const source = context?.source;
		const isInteger = typeof value === 'number' && source !== undefined && INTEGER.test(source);
		return isInteger ? BigInt(source) : value;
	};
	return parseUnambiguous(text, most, (json) => JSON.parse(json, revive));
}
