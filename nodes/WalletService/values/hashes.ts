import { isObject } from './objects';

/** 32 bytes in hexadecimal that are not part of something longer. */
const HASH = /0x[0-9a-f]{64}(?![0-9a-f])/gi;
const ONLY_HASH = /^0x[0-9a-f]{64}$/i;

/** Whether a value is a transaction hash: 32 bytes in hexadecimal, `0x` in front. */
export function isHash(value: unknown): value is string {
	return typeof value === 'string' && ONLY_HASH.test(value);
}

/** Each hash once, however it is written. */
export function uniqueHashes(hashes: readonly string[]): string[] {
	return [...new Map(hashes.map((hash) => [hash.toLowerCase(), hash])).values()];
}

/** The JSON text of a body without its escapes, in which `\\u0030` would hide a digit; empty when it is no JSON. */
function unescaped(text: string): string {
	if (!text.includes('\\')) return '';
	try {
		const value: unknown = JSON.parse(text);
		return isObject(value) ? JSON.stringify(value) : String(value);
	} catch {
		return '';
	}
}

/**
 * Everything in a text that can be a transaction hash, in the order in which it comes, each once.
 *
 * @example hashesIn('{"tx":{"hash":"0x…64 digits"}}') // ['0x…64 digits']
 */
export function hashesIn(text: string): string[] {
	return uniqueHashes(`${text}\n${unescaped(text)}`.match(HASH) ?? []);
}

/** The hashes in the headers of an answer, its `Location` included. */
export function hashesInHeaders(headers: Readonly<Record<string, unknown>>): string[] {
	return hashesIn(Object.values(headers).flat().map(String).join('\n'));
}
