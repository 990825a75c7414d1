import type { INodeProperties } from 'n8n-workflow';

import { retryOptions } from '../request/http/options';
import { contractAddress } from '../resources/parameters';

const onTransfer = { event: ['newTransfer'] };
const onBalance = { event: ['balanceChanged', 'balanceCrossedThreshold'] };
const onThreshold = { event: ['balanceCrossedThreshold'] };

const event: INodeProperties = {
	displayName: 'Event',
	name: 'event',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Balance Changed',
			value: 'balanceChanged',
			description: 'The balance of a wallet went up or down',
		},
		{
			name: 'Balance Crossed Threshold',
			value: 'balanceCrossedThreshold',
			description: 'The balance of a wallet fell below, or rose above, an amount',
		},
		{
			name: 'New Transfer',
			value: 'newTransfer',
			description: 'A wallet received or sent tokens (ERC-20, ERC-721 or ERC-1155)',
		},
	],
	default: 'newTransfer',
	description: 'What starts the workflow',
};

const userIds: INodeProperties = {
	displayName: 'User IDs',
	name: 'userIds',
	type: 'string',
	typeOptions: { rows: 3 },
	default: '',
	placeholder: 'e.g. DISCORD-80351110224678912',
	description:
		'Whose wallets to watch: one user ID per line, or an expression that gives a list. When left empty, the user of the credential is taken.',
};

const asset: INodeProperties = {
	displayName: 'Asset',
	name: 'asset',
	type: 'options',
	options: [
		{
			name: 'Native Coin',
			value: 'native',
			description: "The network's own coin, for example ETH",
		},
		{ name: 'Token', value: 'token', description: 'An ERC-20 token' },
	],
	default: 'native',
	displayOptions: { show: onBalance },
	description: 'Whose amount to watch: the coin of the network, or a token',
};

const watchedToken: INodeProperties = {
	...contractAddress,
	displayOptions: { show: { ...onBalance, asset: ['token'] } },
};

const direction: INodeProperties = {
	displayName: 'Direction',
	name: 'direction',
	type: 'options',
	options: [
		{ name: 'Any', value: 'any', description: 'Received and sent' },
		{ name: 'Incoming', value: 'incoming', description: 'The wallet received the tokens' },
		{ name: 'Outgoing', value: 'outgoing', description: 'The wallet sent the tokens' },
	],
	default: 'any',
	displayOptions: { show: onTransfer },
	description: 'Which transfers to take, seen from the wallet that is watched',
};

const onlyToken: INodeProperties = {
	...contractAddress,
	required: false,
	displayOptions: { show: onTransfer },
	description:
		'Take only transfers of this token: its address, 0x and 40 hexadecimal digits. When left empty, all tokens are taken.',
};

const crossing: INodeProperties = {
	displayName: 'Crossing',
	name: 'crossing',
	type: 'options',
	options: [
		{
			name: 'Above',
			value: 'above',
			description: 'The balance reaches the threshold or passes it',
		},
		{ name: 'Below', value: 'below', description: 'The balance falls below the threshold' },
		{ name: 'Both', value: 'both', description: 'Either of the two' },
	],
	default: 'below',
	displayOptions: { show: onThreshold },
	description: 'Which way the balance has to cross the threshold',
};

const threshold: INodeProperties = {
	displayName: 'Threshold',
	name: 'threshold',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 5000000',
	displayOptions: { show: onThreshold },
	description: 'The amount to cross, in the unit chosen under Amounts In',
};

const hysteresis: INodeProperties = {
	displayName: 'Hysteresis',
	name: 'hysteresis',
	type: 'string',
	default: '',
	placeholder: 'e.g. 100000',
	displayOptions: { show: onThreshold },
	description:
		'How far the balance has to come back behind the threshold before it can cross it again, so that a balance that wavers around it does not start the workflow each time. Empty means 0.',
};

const minimumChange: INodeProperties = {
	displayName: 'Minimum Change',
	name: 'minimumChange',
	type: 'string',
	default: '',
	placeholder: 'e.g. 1000000',
	displayOptions: { show: { event: ['balanceChanged'] } },
	description:
		'The smallest change that starts the workflow, up or down. Smaller ones add up until they reach it. Empty means any change.',
};

const minimumAmount: INodeProperties = {
	displayName: 'Minimum Amount',
	name: 'minimumAmount',
	type: 'string',
	default: '',
	placeholder: 'e.g. 1000000',
	displayOptions: { show: onTransfer },
	description:
		'Take only transfers of at least this amount. It needs a Contract Address, because amounts of different tokens cannot be compared. Empty means any amount.',
};

const amountUnit: INodeProperties = {
	displayName: 'Amounts In',
	name: 'amountUnit',
	type: 'options',
	options: [
		{
			name: 'Base Units',
			value: 'base',
			description:
				'Whole numbers of the smallest unit: wei for ETH, millionths for a token with 6 decimals',
		},
		{
			name: 'Whole Coins or Tokens',
			value: 'whole',
			description: 'Amounts such as 1.5, with the number of decimals given below',
		},
	],
	default: 'base',
	description: 'How the amounts above are written',
};

const decimals: INodeProperties = {
	displayName: 'Decimals',
	name: 'decimals',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 255 },
	default: 18,
	placeholder: 'e.g. 18',
	displayOptions: { show: { amountUnit: ['whole'] } },
	description:
		'How many decimal places the coin or token has: 18 for ETH, 6 for many dollar tokens. It is compared with what the service says, and never guessed.',
};

const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [
		{
			displayName: 'Emit What Is There at First Poll',
			name: 'emitExisting',
			type: 'boolean',
			default: false,
			description:
				'Whether the first poll already starts the workflow: with the transfers in the history, with the balance as it is, or when the balance is on the awaited side of the threshold',
		},
		...retryOptions,
	],
};

/** The trigger's parameters, in the order of the form. */
export const triggerParameters: INodeProperties[] = [
	event,
	userIds,
	asset,
	watchedToken,
	direction,
	onlyToken,
	minimumAmount,
	minimumChange,
	crossing,
	threshold,
	hysteresis,
	amountUnit,
	decimals,
	options,
];
