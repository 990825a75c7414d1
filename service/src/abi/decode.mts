/** What a contract returned, as values. ethers' own reader takes seconds for a long answer, in which nobody is answered. */
import { setImmediate } from 'node:timers/promises';
import { getAddress, type ParamType } from 'ethers';
import { toBigNumber } from './json.mts';

/** Size of a word of the ABI, in bytes. */
const WORD = 32;

/** Bytes that are read at once; between them, other requests are answered. */
const AT_ONCE = 128 * WORD;

/** How often each byte is read at most: parts can lie at the same place, and then are more than they seem. Compilers do not do this. */
const MOST_TIMES = 2;

const TEXT = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The bytes of an answer. All methods throw an Error if it does not fit. */
class Answer {
	readonly #bytes: Buffer;
	#read = 0;
	#pause = AT_ONCE;

	constructor(data: string) {
		this.#bytes = Buffer.from(data.slice(2), 'hex');
		if (this.#bytes.length % WORD !== 0) throw new Error('It has no whole words');
	}

	/** Bytes from a place, which are padded to whole words. */
	async bytesAt(place: number, length: number): Promise<Buffer> {
		this.#read += length;
		const end = place + Math.ceil(length / WORD) * WORD;
		const { length: all } = this.#bytes;
		if (end > all || this.#read > MOST_TIMES * all) throw new Error('It is too short');
		if (this.#read >= this.#pause) {
			this.#pause = this.#read + AT_ONCE;
			await setImmediate();
		}
		return this.#bytes.subarray(place, place + length);
	}

	async wordAt(place: number): Promise<bigint> {
		return BigInt(`0x${(await this.bytesAt(place, WORD)).toString('hex')}`);
	}

	/** An offset or a length, of which none is greater than the answer. */
	async indexAt(place: number): Promise<number> {
		const index = await this.wordAt(place);
		if (index > this.#bytes.length) throw new Error('It is too short');
		return Number(index);
	}

	/** The number of elements that are said to follow a place, each of which takes a word at least. */
	async countAt(place: number): Promise<number> {
		const count = await this.indexAt(place);
		if (count * WORD > this.#bytes.length - place) throw new Error('It is too short');
		return count;
	}
}

/** Whether a value is at an offset, which takes its place. */
function isDynamic(type: ParamType): boolean {
	if (type.isArray()) return type.arrayLength === -1 || isDynamic(type.arrayChildren);
	if (type.isTuple()) return type.components.some(isDynamic);
	return type.type === 'string' || type.type === 'bytes';
}

/** Size of a value that is not at an offset, in bytes. */
function sizeOf(type: ParamType): number {
	if (type.isArray()) return type.arrayLength * sizeOf(type.arrayChildren);
	if (!type.isTuple()) return WORD;
	return type.components.reduce((size, component) => size + sizeOf(component), 0);
}

async function valuesAt(
	types: readonly ParamType[],
	place: number,
	answer: Answer,
): Promise<unknown[]> {
	const values: unknown[] = [];
	let head = place;
	for (const type of types) {
		const isAtOffset = isDynamic(type);
		const at = isAtOffset ? place + (await answer.indexAt(head)) : head;
		values.push(await valueAt(type, at, answer));
		head += isAtOffset ? WORD : sizeOf(type);
	}
	return values;
}

async function valueAt(type: ParamType, place: number, answer: Answer): Promise<unknown> {
	if (type.isTuple()) return await valuesAt(type.components, place, answer);
	if (type.isArray()) {
		const { arrayLength, arrayChildren } = type;
		const isFixed = arrayLength !== -1;
		const count = isFixed ? arrayLength : await answer.countAt(place);
		const elements = Array<ParamType>(count).fill(arrayChildren);
		return await valuesAt(elements, isFixed ? place : place + WORD, answer);
	}
	if (type.type === 'string' || type.type === 'bytes') {
		const bytes = await answer.bytesAt(place + WORD, await answer.indexAt(place));
		return type.type === 'string' ? TEXT.decode(bytes) : `0x${bytes.toString('hex')}`;
	}
	const size = Number(type.type.replace(/^\D+/, ''));
	switch (type.type.replace(/\d+$/, '')) {
		case 'uint':
			return toBigNumber(BigInt.asUintN(size, await answer.wordAt(place)));
		case 'int':
			return toBigNumber(BigInt.asIntN(size, await answer.wordAt(place)));
		case 'bool':
			return (await answer.wordAt(place)) !== 0n;
		case 'address':
			return getAddress(`0x${(await answer.wordAt(place)).toString(16).padStart(40, '0')}`);
		default:
			return `0x${(await answer.bytesAt(place, size)).toString('hex')}`;
	}
}

/**
 * Decodes what a contract returned: integers as BigNumber, arrays and tuples as arrays.
 *
 * @param data 0x-prefixed
 * @returns one value for each type
 * @throws Error if the data do not fit the types
 */
export async function decodeAnswer(types: readonly ParamType[], data: string): Promise<unknown[]> {
	return await valuesAt(types, 0, new Answer(data));
}
