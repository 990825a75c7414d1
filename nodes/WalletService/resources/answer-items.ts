import type { IDataObject } from 'n8n-workflow';

import { unexpectedAnswer } from '../request/http/answer';
import { InvalidInputError } from '../values/invalid-input';
import { isItem } from '../values/objects';

/** Reads an answer. @throws ServiceError for invalid values, because the service is to blame, not the user. */
export function readExpected<T>(answer: unknown, read: (answer: unknown) => T): T {
	try {
		return read(answer);
	} catch (error) {
		throw error instanceof InvalidInputError
			? unexpectedAnswer(`valid values (${error.message})`, answer)
			: error;
	}
}

/** Converts an answer to simplified items. @param values checked values of the route's `:names` */
export type Simplify = (answer: unknown, values: Readonly<Record<string, string>>) => IDataObject[];

/**
 * Converts an answer to items. Without `simplify`, the service's JSON is unchanged: one item for an object, one for each
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
