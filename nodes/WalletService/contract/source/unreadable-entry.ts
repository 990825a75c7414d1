import type { InvalidInputDetails } from '../../values/invalid-input';
import { InvalidInputError } from '../../values/invalid-input';
import { quote } from '../../values/quote';
import type { StateMutability } from '../function';

/** An entry of an ABI that cannot be read. It is refused only when its function is chosen. */
export interface UnreadableEntry {
	/** Where it is: `abi[3]`, or `line 2` of text. */
	readonly place: string;
	/** The function as written, `swap(fixed128x18)`; the place if even that is unknown. */
	readonly label: string;
	/** Possible names of the function. */
	readonly names: readonly string[];
	/** `undefined` if unknown. */
	readonly stateMutability: StateMutability | undefined;
	/** What is wrong, with the place inside the ABI, and how to correct it. Not an Error, which would carry a stack trace. */
	readonly problem: InvalidInputDetails;
}

/**
 * Whether `key` may refer to the function of an entry, by its place, its name, or its name with types.
 *
 * @example
 * const [entry] = parseAbi('swap(fixed)').unreadable;
 * mayMean(entry, 'swap(fixed128x18)') // true
 */
export function mayMean({ place, names }: UnreadableEntry, key: unknown): boolean {
	if (typeof key !== 'string') return false;
	const [name = ''] = key.split('(', 1);
	return key === place || names.includes(name.trim());
}

/**
 * The error for choosing the function of an unreadable entry.
 *
 * @example
 * const [entry] = parseAbi('swap(fixed)').unreadable;
 * unreadableFunction(entry).message // '"swap(fixed)" cannot be called, because its entry cannot be read. …'
 */
export function unreadableFunction({ label, problem }: UnreadableEntry): InvalidInputError {
	return new InvalidInputError({
		...problem,
		message: `${quote(label)} cannot be called, because its entry cannot be read. ${problem.message}`,
	});
}

/**
 * A sentence to append when an ABI does not contain what is searched for, which may be among what cannot be read.
 *
 * @returns empty text if there is no such entry
 * @example unreadableNote(parseAbi('swap(fixed)').unreadable) // '. One entry of the ABI cannot be read: …'
 */
export function unreadableNote(entries: readonly UnreadableEntry[]): string {
	const [first] = entries;
	if (first === undefined) return '';
	const what = entries.length === 1 ? 'One entry' : `${entries.length} entries`;
	return `. ${what} of the ABI cannot be read: ${first.problem.message}${entries.length === 1 ? '' : ', …'}`;
}
