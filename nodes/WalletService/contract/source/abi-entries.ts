import { isObject } from '../../values/objects';
import { abiRefusal, functionFromJson, labelOfJson } from './abi-json';
import { declarationsIn } from './declarations';
import type { ContractFunction } from '../function';
import { isStateMutability } from '../function';
import { parseSignature } from './signature';
import type { UnreadableEntry } from './unreadable-entry';

/** An entry of an ABI that is, or should be, a function. */
export interface AbiEntry extends Omit<UnreadableEntry, 'problem'> {
	/** Prefix for the message of an error that does not name the place inside the ABI itself. */
	readonly about: string;
	/** @throws InvalidInputError when the entry cannot be read. */
	readonly read: () => ContractFunction;
}

/** What to paste, for errors. */
export const ABI_FORMS =
	'Paste a JSON ABI, the JSON of an artifact file with "abi", or one function signature per line';

const OTHER_ENTRIES: ReadonlySet<unknown> = new Set([
	'constructor',
	'event',
	'error',
	'fallback',
	'receive',
]);

/**
 * The functions among human-readable lines.
 *
 * @param placeOf describes the place of a line, for errors
 * @param parameter the node parameter that holds the ABI, for errors
 * @example entriesOfText('f()\nevent E()', (line) => `line ${line}`, 'abi').map(({ label }) => label) // ['f()']
 */
export function entriesOfText(
	text: string,
	placeOf: (line: number) => string,
	parameter: string,
): AbiEntry[] {
	return declarationsIn(text).map(({ text: declaration, line, names }) => {
		const place = placeOf(line);
		const read = () => parseSignature(declaration, parameter);
		const about = `In ${place}: `;
		return { place, label: declaration, names, stateMutability: undefined, about, read };
	});
}

/**
 * The functions among the entries of a JSON ABI. Events, errors and the like are left out.
 *
 * @param parameter the node parameter that holds the ABI, for errors
 * @example entriesOfJson([{ type: 'event' }, { name: 'f' }], 'abi').map(({ place }) => place) // ['abi[1]']
 */
export function entriesOfJson(list: readonly unknown[], parameter: string): AbiEntry[] {
	const refuse = abiRefusal(parameter);
	return list.flatMap((entry, index): AbiEntry | AbiEntry[] => {
		const place = `abi[${index}]`;
		if (typeof entry === 'string') {
			const placeOf = (line: number) => (line === 1 ? place : `${place}, line ${line}`);
			return entriesOfText(entry, placeOf, parameter);
		}
		const unnamed = { place, label: place, names: [], stateMutability: undefined, about: '' };
		if (!isObject(entry)) {
			const read = () => refuse(place, entry, 'it is not an entry of an ABI', ABI_FORMS);
			return { ...unnamed, read };
		}
		// The ABI specification lets a function leave its type out.
		const { type = 'function', name, stateMutability } = entry;
		if (OTHER_ENTRIES.has(type)) return [];
		return {
			...unnamed,
			label: labelOfJson(entry) ?? place,
			names: typeof name === 'string' && name !== '' ? [name] : [],
			stateMutability: isStateMutability(stateMutability) ? stateMutability : undefined,
			read: () =>
				type === 'function'
					? functionFromJson(entry, place, refuse)
					: refuse(`${place}.type`, type, 'it is not a kind of ABI entry', ABI_FORMS),
		};
	});
}
