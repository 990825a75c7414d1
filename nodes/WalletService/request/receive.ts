import type { IDataObject, IExecuteSingleFunctions, PostReceiveAction } from 'n8n-workflow';

import { isObject } from '../values/integers';
import { InvalidInput } from '../values/invalid-input';
import { readAnswer, wrongShape } from './answer';
import { preparedFor } from './prepare';

/**
 * The output of one answer.
 *
 * @param answer JSON value of the answer
 * @param values checked values behind the `:names` of the route
 * @param context the item's own, by which its request was prepared
 * @returns one entry per output item
 * @throws CallFailure or InvalidInput when the answer does not have the form that the interface gives it.
 */
export type SimplifyAnswer = (
	answer: unknown,
	values: Readonly<Record<string, string>>,
	context: IExecuteSingleFunctions,
) => IDataObject[];

/** Whether a JSON value can be an item as it came: an object, no array. */
export function isItem(value: unknown): value is IDataObject {
	return isObject(value) && !Array.isArray(value);
}

/** The service's JSON untouched: an object is one item, a list one item per entry. */
function asItCame(answer: unknown): IDataObject[] {
	const items = Array.isArray(answer) ? answer : [answer];
	const odd = items.find((item) => !isItem(item));
	if (odd !== undefined) throw wrongShape('an object, or a list of objects', answer);
	return items.filter(isItem);
}

/** A value of the answer that is not what the interface says is the service's fault, not the user's. */
function asShapeFailure(error: unknown, answer: unknown): unknown {
	return error instanceof InvalidInput
		? wrongShape(`valid values (${error.message})`, answer)
		: error;
}

/** The items of an answer, simplified or as it came. */
export function itemsOf(
	answer: unknown,
	simplify: ((answer: unknown) => IDataObject[]) | undefined,
): IDataObject[] {
	if (simplify === undefined) return asItCame(answer);
	try {
		return simplify(answer);
	} catch (error) {
		throw asShapeFailure(error, answer);
	}
}

/** A `postReceive` function that turns an answer into items, each paired with its input. */
export function receive(simplify: SimplifyAnswer): PostReceiveAction {
	return async function (this: IExecuteSingleFunctions, _items, response) {
		const { request, values, isSimple } = preparedFor(this);
		const answer = readAnswer(response, request.headers?.Authorization, request.url);
		const item = this.getItemIndex();
		const simplifyHere = (given: unknown) => simplify(given, values, this);
		return itemsOf(answer, isSimple ? simplifyHere : undefined).map((json) => ({
			json,
			pairedItem: { item },
		}));
	};
}
