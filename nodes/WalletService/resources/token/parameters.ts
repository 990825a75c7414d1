import type { INodeProperties } from 'n8n-workflow';

export const recipient: INodeProperties = {
	displayName: 'Recipient',
	name: 'recipient',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. DISCORD-100200300400500600',
	description:
		'Who receives the tokens: a user ID such as DISCORD-100200300400500600, a wallet address (0x and 40 hexadecimal digits), or the URL of its page on a block explorer. One recipient per item.',
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
			description: 'Many items in one contract: an ID and a quantity',
		},
		{ name: 'ERC-20', value: 'erc20', description: 'A fungible token, such as USDC' },
		{ name: 'ERC-721', value: 'erc721', description: 'An NFT: a single item with its own ID' },
	],
	default: 'erc20',
	description: 'The kind of token, as shown by a block explorer',
};

export const amount: INodeProperties = {
	displayName: 'Amount',
	name: 'amount',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 12.5',
	description:
		"Amount to send, in whole tokens, such as 12.5. The token's own decimals are used; nothing is rounded.",
	displayOptions: { show: { tokenStandard: ['erc20', 'erc1155'] } },
};

/** Not named `tokenId`, because n8n's linter would mistake it for a secret. */
export const pieceId: INodeProperties = {
	displayName: 'Token ID',
	name: 'pieceId',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 42',
	description: 'ID of the NFT or item to send',
	displayOptions: { show: { tokenStandard: ['erc721', 'erc1155'] } },
};
