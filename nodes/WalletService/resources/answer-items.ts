import type { IDataObject } from 'n8n-workflow';

import { unexpectedAnswer } from '../request/http/answer';
import { InvalidInputError } from '../values/invalid-input';
import { isItem } from '../values/objects';

/** The service's JSON untouched: an object is one item, a list one item per entry. */
function asItCame(answer: unknown): IDataObject[] {
	const items: unknown[] = Array.isArray(answer) ? answer : [answer];
	if (items.every(isItem)) return items;
	throw unexpectedAnswer('an object, or a list of objects', answer);
}

/**
 * Reads what an answer holds.
 *
 * @throws ServiceError when it is not what the interface says: a value that violates it is a fault of the service, not of
 * the user's input.
 */
export function readExpected<T>(answer: unknown, read: (answer: unknown) => T): T {
	try {
		return read(answer);
	} catch (error) {
		throw error instanceof InvalidInputError
			? unexpectedAnswer(`valid values (${error.message})`, answer)
			: error;
	}
}

/**
 * The items of an answer.
 *
 * @param simplify makes them of it; without it, they are the answer as it came
 * @throws ServiceError when the answer does not have the form that the interface defines.
 */
export function answerItems(
	answer: unknown,
	simplify: ((answer: unknown) => IDataObject[]) | undefined,
): IDataObject[] {
	return simplify === undefined ? asItCame(answer) : readExpected(answer, simplify);
}
