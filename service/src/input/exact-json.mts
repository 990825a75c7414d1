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

/** The place of the quotation mark that ends the string which begins at a place. */
function endOfString(text: string, start: number): number {
	let at = start + 1;
	while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
	return at;
}

/**
 * Refuses large JSON before it is parsed, which would take long.
 *
 * @param most maximum number of values without parts, which only commas separate
 * @throws TooLarge
 */
export function assertSmall(text: string, most: number): void {
	let depth = 0;
	let values = 1;
	for (let at = 0; at < text.length; at++) {
		const character = text[at];
		if (character === '"') at = endOfString(text, at);
		else if (character === ',') values++;
		else if (character === '[' || character === '{') depth++;
		else if (character === ']' || character === '}') depth--;
		if (values > most || depth > MAX_DEPTH) throw new TooLarge();
	}
}

/**
 * Like `JSON.parse`, but returns integers as bigint, so that they are exact.
 *
 * @param most maximum number of values without parts
 * @throws SyntaxError, TooLarge
 */
export function parseExactJson(text: string, most: number): unknown {
	assertSmall(text, most);
	const revive = (_key: string, value: unknown, context?: ReviverContext): unknown => {
		const source = context?.source;
		const isInteger = typeof value === 'number' && source !== undefined && INTEGER.test(source);
		return isInteger ? BigInt(source) : value;
	};
	return JSON.parse(text, revive);
}
