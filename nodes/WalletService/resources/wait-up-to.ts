import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { LastLook } from '../request/run/look-again';
import { refuse } from '../values/invalid-input';
import { quote } from '../values/quote';

/** Longest wait, in seconds: an execution that waits keeps a place of n8n's concurrency. */
const MAX_SECONDS = 300;

export const waitUpTo: INodeProperties = {
	displayName: 'Wait Up To (Seconds)',
	name: 'waitUpTo',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: MAX_SECONDS },
	default: 0,
	placeholder: 'e.g. 60',
	description:
		'How long to look again and again until the transfer is listed, 0 to 300 seconds. 0 looks once.',
};

/** What to do when the time is over. */
export const REACTIONS = ['fail', 'item'] as const;

/** The choice between the two, for what an operation waits for. @param item what the item says then */
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
				description: "An error, for the error output of the node or the workflow's error workflow",
			},
			{ name: 'Return an Item', value: 'item', description: item },
		],
		default: 'item',
	};
}

/** How long an item waits at most, in milliseconds. @throws InvalidInputError unless it is a number from 0 to 300 seconds. */
export function parseWait(value: unknown, parameter: string): number {
	const seconds = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	if (typeof seconds === 'number' && seconds >= 0 && seconds <= MAX_SECONDS) return seconds * 1000;
	const problem = `${quote(value)} is no number of seconds from 0 to ${MAX_SECONDS}`;
	const hint =
		'Give 0 to look once, or up to 300; to wait longer, use a Wait node and look again behind it';
	return refuse(parameter, value, problem, hint);
}

/** How long and when was looked, in the fields that every output of a wait has. */
export function lookedFields({ checkedAt, lookedForMs }: LastLook<unknown>): IDataObject {
	return {
		checkedFor: Math.round(lookedForMs / 1000),
		checkedAt: new Date(checkedAt).toISOString(),
	};
}
