import { setImmediate } from 'node:timers/promises';
import { InputError } from './input-error.mts';

/** Size of a word of the ABI, in bytes. */
const WORD = 32;

/** Words that are encoded at once; between them, other requests are answered. */
const AT_ONCE = 256;

/** An encoded value; a dynamic one takes the place of an offset. */
export interface Encoded {
	/** Whole words, without `0x`. */
	hex: string;
	isDynamic: boolean;
}

/** The words that a call may hold. */
export class Words {
	readonly #most: number;
	#taken = 0;
	#pause = AT_ONCE;

	constructor(most: number) {
		this.#most = most;
	}

	/** Takes some of them. @throws InputError if they do not suffice */
	async take(count: number): Promise<void> {
		this.#taken += count;
		if (this.#taken > this.#most) throw this.tooMany();
		if (this.#taken < this.#pause) return;
		this.#pause = this.#taken + AT_ONCE;
		await setImmediate();
	}

	tooMany(): InputError {
		return new InputError('args', `must have at most ${this.#most} words of 32 bytes when encoded`);
	}

	/** Maximum number of values, each of which takes a word at least. */
	get most(): number {
		return this.#most;
	}
}

/** @param value from 0 to 2^256 - 1 */
export const wordOf = (value: bigint | number): string =>
	value.toString(16).padStart(2 * WORD, '0');

/** @param digits hexadecimal, two a byte */
export async function bytesIn(digits: string, words: Words): Promise<Encoded> {
	const count = Math.ceil(digits.length / 2 / WORD);
	await words.take(count + 1);
	const hex = wordOf(digits.length / 2) + digits.padEnd(count * 2 * WORD, '0');
	return { hex, isDynamic: true };
}

/** Encodes values one after another, as in a tuple: the dynamic ones behind all others, in whose place their offsets are. */
export function inOrder(values: readonly Encoded[]): Encoded {
	const sizes = values.map(({ hex, isDynamic }) => (isDynamic ? WORD : hex.length / 2));
	let offset = sizes.reduce((total, size) => total + size, 0);
	const tails: string[] = [];
	const heads = values.map(({ hex, isDynamic }) => {
		if (!isDynamic) return hex;
		const head = wordOf(offset);
		tails.push(hex);
		offset += hex.length / 2;
		return head;
	});
	return { hex: [...heads, ...tails].join(''), isDynamic: tails.length > 0 };
}
