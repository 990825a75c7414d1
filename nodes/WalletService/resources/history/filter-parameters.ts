import type { INodeProperties } from 'n8n-workflow';

import { token } from '../parameters';

/** Filters of transfers; the trigger has some of them as well. */

export const direction: INodeProperties = {
	displayName: 'Direction',
	name: 'direction',
	type: 'options',
	options: [
		{ name: 'Any', value: 'any', description: 'Received and sent' },
		{ name: 'Received', value: 'received', description: 'The user received the tokens' },
		{ name: 'Sent', value: 'sent', description: 'The user sent the tokens' },
	],
	default: 'any',
	description: 'Which transfers to take, seen from the wallet of the user',
};

export const onlyToken: INodeProperties = {
	...token,
	required: false,
	description:
		'Take only transfers of this token: choose it from the list, or give the address of its contract (0x and 40 hexadecimal digits). When left empty, all tokens are taken.',
};

export const minimumAmount: INodeProperties = {
	displayName: 'Minimum Amount',
	name: 'minimumAmount',
	type: 'string',
	default: '',
	placeholder: 'e.g. 12.5',
	description:
		'Take only transfers of at least this amount, in whole tokens. It needs a Token, because amounts of different tokens cannot be compared. Empty means any amount.',
};

const since: INodeProperties = {
	displayName: 'Since',
	name: 'since',
	type: 'dateTime',
	default: '',
	placeholder: 'e.g. 2026-11-21T13:28:22Z',
	description:
		'Take only transfers from this time on. Without a time zone, it is UTC. Empty means any time.',
};

export const filters: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add filter',
	default: {},
	description: 'Which transfers to take; the limit counts those that are left',
	options: [onlyToken, direction, minimumAmount, since],
};
