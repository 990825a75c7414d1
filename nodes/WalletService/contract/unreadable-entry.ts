import type { InvalidInputDetails } from '../values/invalid-input';
import { InvalidInputError } from '../values/invalid-input';
import { quote } from '../values/quote';
import type { StateMutability } from './function';

/** An entry of an ABI that cannot be read. It is refused when its function is chosen, and is in nobody's way before. */
export interface UnreadableEntry {
	/** Where it stands: `abi[3]`, or `line 2` of a text. */
	readonly place: string;
	/** The function as it is written, `swap(fixed128x18)`; the place when not even that can be told. */
	readonly label: string;
	/** How the function may be called. */
	readonly names: readonly string[];
	/** `undefined` when nothing is known. */
	readonly stateMutability: StateMutability | undefined;
	/** What is wrong, with the place inside the ABI, and what would be right. No error: each would hold a stack trace. */
	readonly problem: InvalidInputDetails;
}

/** Whether `key` may mean the function of an entry: by its place, its name, or its name with types. */
export function mayMean({ place, names }: UnreadableEntry, key: unknown): boolean {
	if (typeof key !== 'string') return false;
	const [name = ''] = key.split('(', 1);
	return key === place || names.includes(name.trim());
}

/** Why the function of an entry cannot be called. */
export function unreadableFunction({ label, problem }: UnreadableEntry): InvalidInputError {
	return new InvalidInputError({
		...problem,
		message: `${quote(label)} cannot be called, because its entry cannot be read. ${problem.message}`,
	});
}

/**
 * A sentence to add when an ABI does not hold what is looked for, because that may be among what cannot be read.
 *
 * @returns empty text when there is no such entry
 */
export function unreadableNote(entries: readonly UnreadableEntry[]): string {
	const [first] = entries;
	if (first === undefined) return '';
	const what = entries.length === 1 ? 'One entry' : `${entries.length} entries`;
	return `. ${what} of the ABI cannot be read: ${first.problem.message}${entries.length === 1 ? '' : ', …'}`;
}
