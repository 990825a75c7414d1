import type { IDataObject } from 'n8n-workflow';

import { parseChoice, parseSwitch } from '../../values/choice';
import { refuse } from '../../values/invalid-input';
import { quote } from '../../values/quote';
import type { ReadParameter } from './read-parameter';

const OUTPUTS = ['raw', 'fields', 'simplified'] as const;

/** Fields that identify an item or its transaction; they are always kept. */
const ALWAYS: ReadonlySet<string> = new Set(['hash', 'id', 'met', 'seen', 'submitted', 'userId']);

/** The selectable fields. */
export const choosable = (fields: readonly string[]): string[] =>
	fields.filter((field) => !ALWAYS.has(field));

function readLeftOut(read: ReadParameter, fields: readonly string[]): ReadonlySet<string> {
	const given = read('fields', '');
	const names: unknown[] = typeof given === 'string' ? given.split(/[,\s]+/) : [given].flat();
	const chosen = new Set(names.filter((name) => name !== ''));
	const hint = `Choose from ${fields.join(', ')}, or choose Simplified under Output`;
	if (chosen.size === 0) refuse('fields', 'No field is chosen', hint);
	const odd = [...chosen].find((name) => !fields.some((field) => field === name));
	if (odd !== undefined) refuse('fields', `${quote(odd)} is not a field of this output`, hint);
	return new Set(choosable(fields).filter((field) => !chosen.has(field)));
}

export interface Output {
	readonly isSimple: boolean;
	/**
	 * Reduces an item to the chosen fields; absent if all are kept. Fields that the operation does not list, such as a
	 * warning, remain.
	 */
	readonly select?: (json: IDataObject) => IDataObject;
}

/**
 * Reads the chosen output of an item: a tool has the Output field, any other node has Simplify. n8n drops the value of
 * the hidden field.
 *
 * @param fields the fields of the operation
 * @throws InvalidInputError for an unknown output or field, or if Simplify is neither true nor false.
 */
export function readOutput(read: ReadParameter, fields: readonly string[]): Output {
	const given = read('output', '');
	if (given === '') return { isSimple: parseSwitch(read('simplify', true), 'simplify') };
	const output = parseChoice(given, OUTPUTS, 'output');
	if (output !== 'fields') return { isSimple: output === 'simplified' };
	const leftOut = readLeftOut(read, fields);
	return {
		isSimple: true,
		select: (json) =>
			Object.fromEntries(Object.entries(json).filter(([field]) => !leftOut.has(field))),
	};
}
