import type { IDataObject } from 'n8n-workflow';

import { unexpectedAnswer } from '../request/http/answer';
import { InvalidInputError } from '../values/invalid-input';
import { isItem } from '../values/objects';

/** Reads an answer. @throws ServiceError for values that violate the interface: the user's input is not at fault. */
export function readExpected<T>(answer: unknown, read: (answer: unknown) => T): T {
	try {
		return read(answer);
	} catch (error) {
		throw error instanceof InvalidInputError
			? unexpectedAnswer(`valid values (${error.message})`, answer)
			: error;
	}
}

/** The simplified items of an answer. @param values checked values of the `:names` of the route */
export type Simplify = (answer: unknown, values: Readonly<Record<string, string>>) => IDataObject[];

/**
 * The items of an answer. Without `simplify`, the service's JSON is returned untouched: one item for an object, one per
 * entry of a list.
 * @throws ServiceError if its shape is not the interface's.
 */
export function answerItems(
	answer: unknown,
	simplify?: Simplify,
	values: Readonly<Record<string, string>> = {},
): IDataObject[] {
	if (simplify !== undefined) return readExpected(answer, () => simplify(answer, values));
	const items: unknown[] = Array.isArray(answer) ? answer : [answer];
	if (items.every(isItem)) return items;
	throw unexpectedAnswer('an object, or a list of objects', answer);
}
