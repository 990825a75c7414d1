import { keccak256 } from 'ethers';

import { isObject } from './objects';

/** 32 bytes in hexadecimal, not followed by more digits. */
const HASH = /0x[0-9a-f]{64}(?![0-9a-f])/gi;
const ONLY_HASH = /^0x[0-9a-f]{64}$/i;
/** All zeros or all ones: a placeholder for a missing hash, or the smallest or largest integer. */
const NO_HASH = /^0x(0+|f+)$/i;

const ENCODER = new TextEncoder();

/**
 * The Keccak-256 hash of text: that of `id` in ethers, which encodes long text ten times as slowly.
 *
 * @example textHash('').slice(0, 10) // '0xc5d24601'
 */
export const textHash = (text: string): string => keccak256(ENCODER.encode(text));

/**
 * Whether a value is a transaction hash: 32 bytes in hexadecimal, prefixed with `0x`, neither all zeros nor all ones.
 *
 * @example isHash('0x1234') // false
 */
export function isHash(value: unknown): value is string {
	return typeof value === 'string' && ONLY_HASH.test(value) && !NO_HASH.test(value);
}

/**
 * Removes duplicates, ignoring case, and keeps the last spelling of each hash.
 *
 * @example uniqueHashes(['0xAB', '0xcd', '0xab']) // ['0xab', '0xcd']
 */
export function uniqueHashes(hashes: readonly string[]): string[] {
	return [...new Map(hashes.map((hash) => [hash.toLowerCase(), hash])).values()];
}

/** Who reported the transaction of an earlier attempt, for `withHashes`. */
export const EARLIER = 'an earlier attempt reported';

/**
 * Adds transaction hashes to a text.
 *
 * @example withHashes('No answer', 'it reported', ['0xab']) // 'No answer; it reported transaction 0xab'
 */
export function withHashes(text: string, who: string, hashes: readonly string[] = []): string {
	return hashes.length === 0 ? text : `${text}; ${who} transaction ${hashes.join(', ')}`;
}

/**
 * Changes text except for its transaction hashes.
 *
 * @example betweenHashes(`of 0x${'ab'.repeat(32)}`, (part) => part.toUpperCase()) // 'OF 0xabab…'
 */
export function betweenHashes(text: string, change: (part: string) => string): string {
	const hashes = text.match(HASH) ?? [];
	return text
		.split(HASH)
		.map((part, index) => `${change(part)}${hashes[index] ?? ''}`)
		.join('');
}

/** 32 bytes in hexadecimal that are no part of a longer word. */
const BARE = /(?<![0-9a-z])[0-9a-f]{64}(?![0-9a-z])/gi;

/**
 * Finds the words in text that may be transaction hashes without `0x`, and returns them with it.
 *
 * @example bareHashesIn(`{"hash":"${'ab'.repeat(32)}"}`) // ['0xabab…']
 */
export function bareHashesIn(text: string): string[] {
	const words = `${text}\n${unescaped(text)}`.match(BARE) ?? [];
	return uniqueHashes(words.map((word) => `0x${word}`).filter(isHash));
}

/** Decodes the escapes of JSON text, because `\u0030` can hide a digit; empty for other text or without escapes. */
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
 * Finds all possible transaction hashes in text, in order, without duplicates.
 *
 * @example hashesIn(`{"tx":{"hash":"0x${'ab'.repeat(32)}"}}`) // ['0xabab…']
 */
export function hashesIn(text: string): string[] {
	return uniqueHashes((`${text}\n${unescaped(text)}`.match(HASH) ?? []).filter(isHash));
}
