import type { INodeProperties } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { COMPARISONS } from '../contract/comparison';
import { retryOptions } from '../request/http/options';
import { asStored } from '../request/run/stored-collections';
import { scaleByDecimals } from '../resources/contract/call-options';
import { comparedValue, conditionOf } from '../resources/contract/wait-until';
import { callParameters } from '../resources/contract/parameters';
import { contractAddress, tokenParameter, userId } from '../resources/parameters';
import { direction, minimumAmount, onlyToken } from '../resources/history/filter';

const onTransfer = { event: ['newTransfer'] };
const onBalance = { event: ['balanceChanged', 'balanceCrossedThreshold'] };
const onContract = { event: ['contractValue'] };
const onThreshold = { event: ['balanceCrossedThreshold'] };

const event: INodeProperties = {
	displayName: 'Event',
	name: 'event',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'New Transfer',
			value: 'newTransfer',
			description: 'A wallet received or sent tokens (ERC-20, ERC-721 or ERC-1155)',
		},
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
			name: 'Contract Value Changed',
			value: 'contractValue',
			description:
				'A value that a function of a smart contract returns changed, or began to meet a condition',
		},
	],
	default: 'newTransfer',
	description: 'What starts the workflow',
};

const userIds: INodeProperties = {
	...userId,
	displayName: 'User IDs',
	name: 'userIds',
	typeOptions: { rows: 3 },
	description:
		'Whose wallets to watch: one user ID per line, also with commas between them, or an expression that gives a list. When left empty, the user of the credential is taken.',
	displayOptions: { hide: onContract },
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

const crossing: INodeProperties = {
	displayName: 'Alert When Balance',
	name: 'crossing',
	type: 'options',
	options: [
		{ name: 'Falls Below', value: 'below', description: 'It becomes less than the threshold' },
		{ name: 'Reaches or Passes', value: 'above', description: 'It becomes the threshold or more' },
		{ name: 'Does Either', value: 'both', description: 'It falls below, or reaches the threshold' },
	],
	default: 'below',
	description: 'Which way the balance has to cross the threshold',
};

const threshold: INodeProperties = {
	displayName: 'Threshold',
	name: 'threshold',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 100',
	description: 'The amount to cross, in whole coins or tokens',
};

const hysteresis: INodeProperties = {
	displayName: 'Alert Again After Recovering By',
	name: 'hysteresis',
	type: 'string',
	default: '',
	placeholder: 'e.g. 10',
	description:
		'How far the balance has to recover past the threshold before it can alert again, so that a balance that wavers around it does not start the workflow each time. Empty means 0.',
};

const minimumChange: INodeProperties = {
	displayName: 'Minimum Change',
	name: 'minimumChange',
	type: 'string',
	default: '',
	placeholder: 'e.g. 12.5',
	displayOptions: { show: { event: ['balanceChanged'] } },
	description:
		'The smallest change that starts the workflow, up or down. Smaller ones add up until they reach it. Empty means any change.',
};

/**
 * The unit of the amounts, from when there was a choice. It is still declared, because n8n would drop a stored one: amounts in
 * base units would then be read as whole tokens.
 */
export const storedUnit: INodeProperties = {
	displayName: 'Amounts In',
	name: 'amountUnit',
	type: 'hidden',
	default: 'whole',
	displayOptions: { hide: onContract },
};

export const startWhen: INodeProperties = conditionOf(
	{ name: 'Changes', description: 'Differs from the value that last started the workflow' },
	{
		displayName: 'Start When the Value',
		name: 'valueCondition',
		default: 'changed',
		description:
			'When to start the workflow: with a condition, when it becomes true, and again only after it stopped being true',
	},
);

export const comparedWith: INodeProperties = {
	...comparedValue,
	displayOptions: { show: { [startWhen.name]: [...COMPARISONS] } },
};

/** What the event Contract Value Changed watches, as Contract: Read calls it, and what for. */
const valueParameters = [contractAddress, ...callParameters('read'), startWhen, comparedWith];

const triggerOptions: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [
		{
			displayName: 'Begin With What Is Already There',
			name: 'emitExisting',
			type: 'boolean',
			default: false,
			description:
				'Whether the first poll already starts the workflow: with the transfers in the history, with the balance or value as it is, or when it is on the awaited side of the threshold or meets the condition',
		},
		...retryOptions,
		{ ...scaleByDecimals, displayOptions: { show: { '/event': ['contractValue'] } } },
	],
};

/** The trigger's parameters, in the order of the form. */
export const triggerParameters: INodeProperties[] = [
	event,
	userIds,
	asset,
	...updateDisplayOptions({ show: { ...onBalance, asset: ['token'] } }, [tokenParameter]),
	...updateDisplayOptions({ show: onContract }, valueParameters),
	...updateDisplayOptions({ show: onTransfer }, [direction, onlyToken, minimumAmount]),
	minimumChange,
	...updateDisplayOptions({ show: onThreshold }, [crossing, threshold, hysteresis]),
	triggerOptions,
	asStored(triggerOptions),
	storedUnit,
];
