import type { INodeProperties } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { COMPARISONS } from '../contract/comparison';
import { savedRetries } from '../request/http/options';
import { asStored, onlyIfSaved } from '../request/run/stored-collections';
import { scaleByDecimals } from '../resources/contract/call-options';
import { comparedValue, conditionOf } from '../resources/contract/wait-until';
import { argumentsAsJson, callParameters, contractAddress } from '../resources/contract/parameters';
import { ALL_TOKENS, tokenParameter, userId } from '../resources/parameters';
import { direction, minimumAmount, onlyToken } from '../resources/history/filter';

const onTransfer = { event: ['newTransfer'] };
const onBalance = { event: ['balanceChanged', 'balanceCrossedThreshold'] };
const onContract = { event: ['contractValue'] };
const onThreshold = { event: ['balanceCrossedThreshold'] };
/** n8n does not store an untouched default: only a version can change it without changing saved workflows. */
const inFirst = { '@version': [1] };
const inLater = { '@version': [{ _cnd: { gte: 1.1 } }] };

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
			description: 'A value of a smart contract changed, or began to meet a condition',
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
		'Users whose wallets to watch: one per line, separated by commas, or a list from an expression. Leave empty for the user of the credential.',
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
	description: "The balance to watch: the network's native coin or a token",
};

const tokenOrAll: INodeProperties = {
	...tokenParameter,
	description: `Only transfers of this token. Choose it from the list, or paste the address of its contract. Anyone can create a token and send it to you: choose "${ALL_TOKENS.name}" only if the workflow expects that.`,
};

const crossing: INodeProperties = {
	displayName: 'Alert When Balance',
	name: 'crossing',
	type: 'options',
	options: [
		{ name: 'Falls Below', value: 'below', description: 'Drops below the threshold' },
		{ name: 'Reaches or Passes', value: 'above', description: 'Reaches or exceeds the threshold' },
		{
			name: 'Does Either',
			value: 'both',
			description: 'Drops below, reaches or exceeds the threshold',
		},
	],
	default: 'below',
	description: 'The direction in which the balance must cross the threshold',
};

const threshold: INodeProperties = {
	displayName: 'Threshold',
	name: 'threshold',
	type: 'string',
	default: '',
	required: true,
	description: 'The amount to cross, in whole coins or tokens',
};

const hysteresis: INodeProperties = {
	displayName: 'Alert Again After Recovering By',
	name: 'hysteresis',
	type: 'string',
	default: '',
	description:
		'How far the balance must recover past the threshold before the next alert. Prevents repeated alerts while it hovers around the threshold. Empty means 0.',
};

const isPast: INodeProperties = {
	displayName: 'Alert If Already Past When Published',
	name: 'alertIfPast',
	type: 'boolean',
	default: true,
	displayOptions: { show: inLater },
	description:
		'Whether to alert once, at the first poll, about a balance that is already past the threshold',
};

const minimumChange: INodeProperties = {
	displayName: 'Minimum Change',
	name: 'minimumChange',
	type: 'string',
	default: '',
	description:
		'The smallest change that starts the workflow, up or down. Smaller ones add up until they reach it. Empty means any change.',
};

export const startWhen: INodeProperties = conditionOf(
	{ name: 'Changes', description: 'Differs from the value that last started the workflow' },
	{
		displayName: 'Start When the Value',
		name: 'valueCondition',
		default: 'changed',
		description:
			'When to start the workflow. A condition starts it when it becomes true, and again only after it has stopped being true.',
	},
);

export const comparedWith: INodeProperties = {
	...comparedValue,
	displayOptions: { show: { [startWhen.name]: [...COMPARISONS] } },
};

/** An amount with an example for the chosen asset: 100 dollars are little, 100 coins a fortune. */
function amountOf(amount: INodeProperties, ofCoin: string, ofToken: string): INodeProperties[] {
	const examples = { native: ofCoin, token: ofToken };
	return Object.entries(examples).flatMap(([one, example]) =>
		updateDisplayOptions({ show: { asset: [one] } }, [
			{ ...amount, placeholder: `e.g. ${example}` },
		]),
	);
}

/** The watched call, as in Contract: Read, and its condition. */
const valueParameters = [contractAddress, ...callParameters('read'), startWhen, comparedWith];

const existing: INodeProperties = {
	displayName: 'Include What Exists When Published',
	name: 'emitExisting',
	type: 'boolean',
	default: false,
	description:
		'Whether the first poll already starts the workflow for existing transfers, the current balance or value, or a condition that is already met',
};

const triggerOptions: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [
		{
			...existing,
			displayOptions: { show: { '/event': ['newTransfer', 'balanceChanged', 'contractValue'] } },
		},
		{
			...existing,
			description:
				'Whether the first poll already starts the workflow for a balance that is past the threshold',
			displayOptions: { show: { '/event': onThreshold.event, ...inFirst } },
		},
		...savedRetries,
		...updateDisplayOptions({ show: { '/event': onContract.event } }, [
			scaleByDecimals,
			argumentsAsJson,
		]),
	],
};

/** The trigger's parameters, in the order of the form. */
export const triggerParameters: INodeProperties[] = [
	event,
	asset,
	...updateDisplayOptions({ show: { ...onBalance, asset: ['token'] } }, [tokenParameter]),
	...updateDisplayOptions({ show: onContract }, valueParameters),
	...updateDisplayOptions({ show: { ...onTransfer, ...inFirst } }, [direction, onlyToken]),
	...updateDisplayOptions({ show: { ...onTransfer, ...inLater } }, [
		{ ...direction, default: 'received' },
		tokenOrAll,
	]),
	...updateDisplayOptions({ show: onTransfer }, [minimumAmount]),
	...updateDisplayOptions(
		{ show: { event: ['balanceChanged'] } },
		amountOf(minimumChange, '0.05', '12.5'),
	),
	...updateDisplayOptions({ show: onThreshold }, [crossing, ...amountOf(threshold, '0.05', '100')]),
	// Below what has to be filled in, all of which is then seen at once.
	userIds,
	...updateDisplayOptions({ show: onThreshold }, [...amountOf(hysteresis, '0.01', '10'), isPast]),
	...updateDisplayOptions({ hide: onThreshold }, [triggerOptions]),
	...updateDisplayOptions({ show: { ...onThreshold, ...inFirst } }, [triggerOptions]),
	...updateDisplayOptions({ show: { ...onThreshold, ...inLater } }, [onlyIfSaved(triggerOptions)]),
	asStored(triggerOptions),
];
