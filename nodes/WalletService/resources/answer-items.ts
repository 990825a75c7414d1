import type { IDataObject } from 'n8n-workflow';

import { unexpectedAnswer } from '../request/http/answer';
import { InvalidInputError } from '../values/invalid-input';
import { isItem } from '../values/objects';

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
	try {
		if (simplify !== undefined) return simplify(answer, values);
	} catch (error) {
		// The service is to blame for invalid values, not the user.
		throw error instanceof InvalidInputError
			? unexpectedAnswer(`valid values (${error.message})`, answer)
			: error;
	}
	const items: unknown[] = Array.isArray(answer) ? answer : [answer];
	if (items.every(isItem)) return items;
	throw unexpectedAnswer('an object, or a list of objects', answer);
}
