import type { INodeProperties } from 'n8n-workflow';

import type { Item } from '../../request/run/item';
import { readOptions } from '../../request/run/read-parameter';
import { parseChoice } from '../../values/choice';
import { parseTime } from '../../values/clock';
import { REACTIONS, whenNot } from '../wait-options';

const FIND_BY = ['hash', 'payment', 'content'] as const;

const findBy: INodeProperties = {
	displayName: 'Find By',
	name: 'findBy',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Token, Recipient and Amount',
			value: 'content',
			description: 'Any matching transfer since a given time',
		},
		{
			name: 'Transaction Hash',
			value: 'hash',
			description: 'The exact transaction that was submitted',
		},
		{
			name: 'Transaction Hash and Payment',
			value: 'payment',
			description:
				'The exact transaction, if it also moved a given token or amount, or paid a given recipient',
		},
	],
	default: 'hash',
	description: "How to recognize the transfer in the user's history",
};

const submittedAt: INodeProperties = {
	displayName: 'Submitted At',
	name: 'submittedAt',
	type: 'string',
	default: '',
	placeholder: 'e.g. 2026-11-21T13:28:22Z',
	description:
		'Time of submission (UTC by default). Without this option, it is taken from the previous step. A search by token, recipient and amount ignores earlier transfers.',
};

const ifNotFound = whenNot('Return an item with seen: false, for an If node after this one', {
	displayName: 'If Not Found',
	name: 'ifNotFound',
	description: 'What to do if the transfer is not listed in time',
});

export const SUBMITTED_AT = ['options', submittedAt.name];

/** Entries of Options for Find Transfer only. */
export const findOptions: INodeProperties[] = [findBy, submittedAt, ifNotFound];

const FIND_BY_RULE = `/options.${findBy.name}`;

/** The displayOptions of the fields for each choice of Find By. */
export const byHash = { hide: { [FIND_BY_RULE]: ['content'] } };
export const byPayment = { show: { [FIND_BY_RULE]: ['payment'] } };
export const byContent = { show: { [FIND_BY_RULE]: ['content'] } };

const FOR_PAYMENT = { [FIND_BY_RULE]: ['payment', 'content'] };

/**
 * A field beside the hash that saved workflows can have, where it still counts: the form shows it unless it is empty. A
 * hidden twin keeps its value, as n8n shows a field without one.
 */
export function savedBesideHash(field: INodeProperties): INodeProperties[] {
	const own = `/${field.name}`;
	const filled = { ...field, displayOptions: { hide: { ...FOR_PAYMENT, [own]: [''] } } };
	const { displayName, name, default: none } = field;
	const kept: INodeProperties = {
		displayName,
		name,
		type: 'hidden',
		default: none,
		displayOptions: { hide: FOR_PAYMENT },
	};
	// A locator that n8n has emptied has a name left, and is refused.
	const emptied: INodeProperties = {
		...field,
		displayOptions: {
			show: { [`${own}.cachedResultName`]: [{ _cnd: { exists: true } }] },
			hide: { ...FOR_PAYMENT, [own]: [{ _cnd: { regex: '.' } }] },
		},
	};
	return field.type === 'resourceLocator' ? [filled, emptied, kept] : [filled, kept];
}

export interface FindOptions {
	readonly by: (typeof FIND_BY)[number];
	/** Time of submission, in milliseconds since 1970; absent if unknown. */
	readonly since?: number;
	readonly mustBeFound: boolean;
}

/** Reads the Options of a search. @throws InvalidInputError that names the option. */
export function readFindOptions({ context, index, read }: Item): FindOptions {
	const options = readOptions(read);
	const choose = <T extends string>(
		{ name, default: first }: INodeProperties,
		from: readonly T[],
	): T => parseChoice(options[name] ?? first, from, ['options', name]);
	const { submittedAt: time = context.evaluateExpression('{{ $json.submittedAt ?? "" }}', index) } =
		options;
	const isUnknown = time === 'unknown' || time === '';
	return {
		by: choose(findBy, FIND_BY),
		since: isUnknown ? undefined : parseTime(time, SUBMITTED_AT),
		mustBeFound: choose(ifNotFound, REACTIONS) === 'fail',
	};
}
