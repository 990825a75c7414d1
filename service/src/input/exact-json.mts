const INTEGER = /^-?\d+$/;

/** The third argument of a `JSON.parse` reviver, which TypeScript's library does not declare yet. */
interface ReviverContext {
	/** Source text of a number. */
	source?: string;
}

/**
 * Like `JSON.parse`, but returns integers as bigint, so that they are exact at any size.
 *
 * @throws SyntaxError
 */
export function parseExactJson(text: string): unknown {
	const revive = (_key: string, value: unknown, context?: ReviverContext): unknown => {
		const source = context?.source;
		const isInteger = typeof value === 'number' && source !== undefined && INTEGER.test(source);
		return isInteger ? BigInt(source) : value;
	};
	return JSON.parse(text, revive);
}
