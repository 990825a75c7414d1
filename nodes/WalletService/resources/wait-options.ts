import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Item } from '../request/run/item';
import type { LastCheck } from '../request/run/repeated-checks';
import type { Run } from '../request/run/run';
import type { Field } from '../values/invalid-input';
import { refuse } from '../values/invalid-input';
import { quote } from '../values/quote';
import { hasSentIn } from '../writes/retry/known-account';
import { originOf } from '../writes/place';

/** Maximum wait in seconds, because a waiting execution occupies one of n8n's concurrency slots. */
const MAX_SECONDS = 300;

export const waitUpTo: INodeProperties = {
	displayName: 'Wait Up To (Seconds)',
	name: 'waitUpTo',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: MAX_SECONDS },
	default: 0,
	placeholder: 'e.g. 60',
	description:
		'Maximum time to wait for the transfer to be listed, from 0 to 300 seconds. 0 checks once.',
};

/** Reactions to a wait that ends without success. */
export const REACTIONS = ['fail', 'item'] as const;

/** A parameter for the choice of a reaction. @param item description of the returned item */
export function whenNot(
	item: string,
	field: Pick<INodeProperties, 'displayName' | 'name' | 'description'>,
): INodeProperties {
	return {
		...field,
		type: 'options',
		options: [
			{
				name: 'Fail',
				value: 'fail',
				description: "Raise an error, for the node's error output or the error workflow",
			},
			{ name: 'Return an Item', value: 'item', description: item },
		],
		default: 'item',
	};
}

/** Reads the maximum wait of an item, in milliseconds. @throws InvalidInputError unless it is from 0 to 300 seconds. */
export function parseWait(value: unknown, parameter: Field): number {
	const seconds = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	if (typeof seconds === 'number' && seconds >= 0 && seconds <= MAX_SECONDS) return seconds * 1000;
	const problem = `${quote(value)} is not a number from 0 to ${MAX_SECONDS}`;
	const hint =
		'Enter 0 to check once, or up to 300 seconds; for longer waits, add a Wait node and check again after it';
	return refuse(parameter, problem, hint);
}

/** Hint above the output in the editor, where n8n reruns the sending node if its output is lost. */
const SENT_AS_WELL =
	'This execution also sent a transaction. To check again without sending, pin the output of the sending step (P on the canvas).';

/** Adds a hint to the output in the editor if the execution also sent what is checked. */
export function noteSending({ context }: Item, run: Run): void {
	if (context.getMode() === 'manual' && hasSentIn(originOf(context)))
		run.warnOnce(context, SENT_AS_WELL);
}

/** @param checkedFor duration of a wait, in seconds */
export const durationInWords = (checkedFor: IDataObject[string]): string =>
	checkedFor === 0 ? 'checked once' : `checked for ${String(checkedFor)} s`;

/** The output fields of every wait: its duration in seconds, and the time of the last check. */
export function checkedFields({ checkedAt, checkedForMs }: LastCheck<unknown>): IDataObject {
	return {
		checkedFor: Math.round(checkedForMs / 1000),
		checkedAt: new Date(checkedAt).toISOString(),
	};
}
