import type { INodeProperties } from 'n8n-workflow';

import { CONTRACT_PAGE } from '../values/urls';

/** Parameters that several operations share. */

export const userId: INodeProperties = {
	displayName: 'User ID',
	name: 'userId',
	type: 'string',
	typeOptions: { rows: 2 },
	default: '',
	placeholder: 'e.g. DISCORD-100200300400500600',
	description:
		"Provider in upper case, a hyphen, and the user's ID at that provider. Several users: one per line, separated by commas, or a list from an expression. Leave empty for the user of the credential.",
	hint: 'Leave empty for your own wallet',
};

export const tokenParameter: INodeProperties = {
	displayName: 'Token',
	name: 'token',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	modes: [
		{
			displayName: 'List',
			name: 'list',
			type: 'list',
			placeholder: 'Choose a token',
			hint: 'Tokens this wallet has used. Not listed? Choose Address',
			typeOptions: {
				searchListMethod: 'getTokens',
				searchable: true,
				// Without this, the list never loads if it is opened before n8n has selected a new node's credential.
				skipCredentialsCheckInRLC: true,
			},
		},
		// Address precedes URL, because n8n switches to the first text mode when an expression is dropped on the list.
		{
			displayName: 'Address',
			name: 'address',
			type: 'string',
			placeholder: 'e.g. 0xA0b86991...3606eB48',
			hint: 'Ask your wallet service, or copy it from a block explorer',
		},
		{
			displayName: 'URL',
			name: 'url',
			type: 'string',
			placeholder: 'e.g. https://etherscan.io/token/0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
			hint: "The token's page on a block explorer",
			extractValue: { type: 'regex', regex: CONTRACT_PAGE.source },
		},
	],
	description:
		'Choose the token from the list, or paste its contract address (0x and 40 hexadecimal digits) or the URL of its page on a block explorer',
};

/** The entry of a list of tokens that stands for all of them. */
export const ALL_TOKENS = { name: 'All Tokens, Also Worthless Ones', value: 'all' };

/** Warnings of operations that submit transactions. */
export const movesMoney: readonly INodeProperties[] = [
	{
		displayName: 'This moves money in each execution, or once per Order ID.',
		name: 'movesMoney',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'An AI agent can be tricked into sending: set spending limits in the credential.',
		name: 'limitAgents',
		type: 'notice',
		default: '',
		displayOptions: { show: { '@tool': [true] } },
	},
];

/** Of writes. */
export const orderId: INodeProperties = {
	displayName: 'Order ID',
	name: 'orderId',
	type: 'string',
	default: '',
	placeholder: 'e.g. INV-2026-0042',
	description:
		'An invoice or order number, another one for each payment. The same number is never paid twice, whoever repeats it and whenever. The wallet service must keep order numbers. Leave empty for no order.',
};

export const preview: INodeProperties = {
	displayName: 'Try Without Sending',
	name: 'preview',
	type: 'boolean',
	default: false,
	description: 'Whether to check everything and output the transaction, without sending it',
};

export const simplify: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
	// A tool has Output instead, except in versions of n8n without `@tool`.
	displayOptions: { hide: { '@tool': [true] } },
};
