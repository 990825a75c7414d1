import type { INodeProperties } from 'n8n-workflow';

import type { Item } from '../../request/run/item';
import { readOptions } from '../../request/run/read-parameter';
import { parseChoice } from '../../values/choice';
import { parseTime } from '../../values/clock';
import { REACTIONS, whenNot } from '../wait-up-to';

const FIND_BY = ['hash', 'content'] as const;

const atFind = { show: { '/resource': ['history'], '/operation': ['find'] } };

const findBy: INodeProperties = {
	displayName: 'Find By',
	name: 'findBy',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Token, Recipient and Amount',
			value: 'content',
			description: 'Any such transfer from a time on',
		},
		{
			name: 'Transaction Hash',
			value: 'hash',
			description: 'The very transaction that was submitted',
		},
	],
	default: 'hash',
	description: 'How the transfer is recognised in the history of the user',
	displayOptions: atFind,
};

/** Errors name it as an entry of Options. */
export const SUBMITTED_AT = 'Options: Submitted At';

const submittedAt: INodeProperties = {
	displayName: 'Submitted At',
	name: 'submittedAt',
	type: 'string',
	default: '',
	placeholder: 'e.g. 2026-11-21T13:28:22Z',
	description:
		'When the transfer was submitted; without a time zone, it is UTC. Without this option it is taken from the step before. By token, recipient and amount, only transfers from then on count.',
	displayOptions: atFind,
};

const ifNotFound: INodeProperties = {
	...whenNot('An item in which seen is false, for an If node behind this one', {
		displayName: 'If Not Found',
		name: 'ifNotFound',
		description: 'What to do when the transfer is not listed when the time is over',
	}),
	displayOptions: atFind,
};

/** Entries of Options that only Find Transfer has. */
export const findOptions: readonly INodeProperties[] = [findBy, submittedAt, ifNotFound];

/** The displayOptions of a field that one way to recognise a transfer has. */
export const byHash = { hide: { '/options.findBy': ['content'] } };
export const byContent = { show: { '/options.findBy': ['content'] } };

export interface FindOptions {
	readonly by: (typeof FIND_BY)[number];
	/** When it was submitted, in milliseconds since 1970; absent when nobody knows. */
	readonly since?: number;
	readonly mustBeFound: boolean;
}

/** Reads the Options of a search. @throws InvalidInputError that names the option. */
export function readFindOptions({ context, index, read }: Item): FindOptions {
	const options = readOptions(read);
	const choose = <T extends string>(
		{ name, displayName, default: first }: INodeProperties,
		from: readonly T[],
	): T => parseChoice(options[name] ?? first, from, `Options: ${displayName}`);
	const { submittedAt: time = context.evaluateExpression('{{ $json.submittedAt ?? "" }}', index) } =
		options;
	const isUnknown = time === 'unknown' || time === '';
	return {
		by: choose(findBy, FIND_BY),
		since: isUnknown ? undefined : parseTime(time, SUBMITTED_AT),
		mustBeFound: choose(ifNotFound, REACTIONS) === 'fail',
	};
}
