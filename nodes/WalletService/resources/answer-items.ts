import type { IDataObject } from 'n8n-workflow';

import { unexpectedAnswer } from '../request/http/answer';
import type { ReadParameter } from '../request/run/read-parameter';
import { parseChoice, parseSwitch } from '../values/choice';
import { InvalidInputError } from '../values/invalid-input';
import { isItem } from '../values/objects';

/**
 * The output of one answer.
 *
 * @param answer JSON value of the answer
 * @returns one entry per output item
 * @throws ServiceError or InvalidInputError when the answer does not have the form that the interface defines.
 */
export type Simplify = (answer: unknown) => IDataObject[];

const OUTPUTS = ['raw', 'fields', 'simplified'] as const;

/**
 * What an item's output is to be: a tool has Output, every other node Simplify. n8n drops the value of the one that is not
 * shown.
 *
 * @throws InvalidInputError for any other choice, and unless Simplify is a switch.
 */
export function readOutput(read: ReadParameter): (typeof OUTPUTS)[number] {
	const output = read('output', '');
	if (output !== '') return parseChoice(output, OUTPUTS, 'output');
	return parseSwitch(read('simplify', true), 'simplify') ? 'simplified' : 'raw';
}

/** Whether to simplify the output. @throws InvalidInputError as `readOutput`. */
export function readSimplify(read: ReadParameter): boolean {
	return readOutput(read) !== 'raw';
}

/** The service's JSON untouched: an object is one item, a list one item per entry. */
function asItCame(answer: unknown): IDataObject[] {
	const items = Array.isArray(answer) ? answer : [answer];
	const odd = items.find((item) => !isItem(item));
	if (odd !== undefined) throw unexpectedAnswer('an object, or a list of objects', answer);
	return items.filter(isItem);
}

/** A value of the answer that violates the interface is a fault of the service, not of the user's input. */
function asShapeFailure(error: unknown, answer: unknown): unknown {
	return error instanceof InvalidInputError
		? unexpectedAnswer(`valid values (${error.message})`, answer)
		: error;
}

/** What an answer holds. @throws ServiceError when it is not what the interface says. */
export function readExpected<T>(answer: unknown, read: (answer: unknown) => T): T {
	try {
		return read(answer);
	} catch (error) {
		throw asShapeFailure(error, answer);
	}
}

/** The items of an answer, simplified or as it came. */
export function answerItems(answer: unknown, simplify: Simplify | undefined): IDataObject[] {
	return simplify === undefined ? asItCame(answer) : readExpected(answer, simplify);
}
