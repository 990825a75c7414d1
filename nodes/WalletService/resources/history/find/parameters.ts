import type { INodeProperties } from 'n8n-workflow';

import { token } from '../../parameters';
import { amount, recipient } from '../../token/parameters';
import { whenNot } from '../../wait-up-to';

/** Ways to recognise a transfer. */
export const FIND_BY = ['hash', 'content'] as const;

const byHash = { show: { findBy: ['hash'] } };
const byContent = { show: { findBy: ['content'] } };

export const findBy: INodeProperties = {
	displayName: 'Find By',
	name: 'findBy',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Content',
			value: 'content',
			description: 'Token, recipient and amount, from a time on: any such transfer will do',
		},
		{
			name: 'Transaction Hash',
			value: 'hash',
			description: 'The very transaction that was submitted',
		},
	],
	default: 'hash',
	description: 'How the transfer is recognised in the history of the user',
};

export const transactionHash: INodeProperties = {
	displayName: 'Transaction Hash',
	name: 'transactionHash',
	type: 'string',
	default: '={{ $json.hash }}',
	required: true,
	placeholder: 'e.g. 0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b',
	description:
		'The hash that Token: Send or Contract: Write put out: 0x and 64 hexadecimal digits. Behind such a node it is filled in.',
	displayOptions: byHash,
};

export const transferredToken: INodeProperties = {
	...token,
	default: { __rl: true, mode: 'address', value: '={{ $json.tokenAddress }}' },
	description:
		'The token that was transferred. Behind Token: Send or Contract: Write it is filled in.',
	displayOptions: byContent,
};

export const transferredTo: INodeProperties = {
	...recipient,
	default: '={{ $json.to }}',
	description:
		'Who gets the tokens: a user ID or a wallet address. Behind Token: Send or Contract: Write it is filled in.',
	displayOptions: byContent,
};

export const transferredAmount: INodeProperties = {
	...amount,
	default: '={{ $json.amount }}',
	description:
		'How many tokens were transferred, exactly: 12.5 for twelve and a half. Behind Token: Send or Contract: Write it is filled in.',
	displayOptions: byContent,
};

/** By hash they are optional: then any transfer of the transaction will do. */
export const alsoTold: readonly INodeProperties[] = [
	{
		...transferredToken,
		required: false,
		default: { mode: 'list', value: '' },
		description: 'If set, the transaction counts only if it transferred this token',
	},
	{
		...transferredTo,
		required: false,
		default: '',
		description:
			'If set, the transaction counts only if this user ID or wallet address received the tokens',
	},
	{
		...transferredAmount,
		required: false,
		default: '',
		description: 'If set, the transaction counts only if it transferred exactly this many tokens',
	},
].map((property) => ({ ...property, displayOptions: byHash }));

export const submittedAt: INodeProperties = {
	displayName: 'Submitted At',
	name: 'submittedAt',
	type: 'string',
	default: '={{ $json.submittedAt ?? "unknown" }}',
	placeholder: 'e.g. 2026-11-21T13:28:22Z',
	description:
		'When the transfer was submitted; without a time zone, it is UTC. By content, only transfers from then on count. By hash it may be the word unknown: then the output does not say whether the list reaches back to it.',
};

export const whenNotSeen = whenNot({
	displayName: 'When Not Seen',
	name: 'whenNotSeen',
	item: 'An item in which seen is false, for an If node behind this one',
	description: 'What to do when the transfer is not listed when the time is over',
});
