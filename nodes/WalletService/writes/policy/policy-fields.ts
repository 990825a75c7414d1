import type { INodeProperties } from 'n8n-workflow';

/** Says what the fields below it are for; it holds nothing. */
const heading: INodeProperties = {
	displayName:
		'Spending Limits: they hold for every workflow and AI agent that uses this credential. Left as they are, they limit nothing.',
	name: 'spendingLimits',
	type: 'notice',
	default: '',
};

/**
 * Fields by which the owner of a credential limits all workflows and agents that use it; see `policy.ts`. None depends on
 * another: n8n removes hidden fields from a credential, and the limits with them. Nor may a name change: n8n drops what is
 * stored under another one, and with it the limit.
 */
export const spendingPolicyFields: INodeProperties[] = [
	{
		displayName: 'Allow Writes',
		name: 'allowWrites',
		type: 'boolean',
		default: true,
		description:
			'Whether workflows and AI agents may submit transactions with this credential. Switch it off to make the credential read-only.',
	},
	{
		displayName: 'Allowed Contracts',
		name: 'allowedContracts',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		placeholder: 'e.g. 0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
		description:
			'Addresses of the only contracts that may be written to, separated by commas or line breaks. Leave empty to allow every contract.',
	},
	{
		displayName: 'Allowed Functions',
		name: 'allowedFunctions',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		placeholder: 'e.g. transfer(address,uint256), 0x095ea7b3',
		description:
			'The only functions that may be written to, as signatures or 4-byte selectors, separated by commas or line breaks. Leave empty to allow every function.',
	},
	{
		displayName: 'Allowed Recipients',
		name: 'allowedRecipients',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		placeholder: 'e.g. DISCORD-100200300400500600, 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
		description:
			'The only users or wallet addresses that may receive tokens or be approved to take them, separated by commas or line breaks. Functions that are not of a token standard are then refused unless Allowed Functions names them, and native coin goes only to these addresses and to Allowed Contracts. Leave empty to allow every recipient.',
	},
	{
		displayName: 'Token Limits',
		name: 'amountLimits',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		placeholder: 'e.g. 250 0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
		description:
			'The most of each token that one workflow execution may send or approve, one per line: an amount in whole tokens and the address of the token. An NFT counts as 1. Tokens that are not listed cannot be moved then. Leave empty for no limit.',
	},
	{
		displayName: 'Max Native Coin per Call',
		name: 'maxValuePerCall',
		type: 'string',
		default: '',
		placeholder: 'e.g. 0.1 ether',
		description:
			"Most of the network's native coin that one write may send, with a unit (wei, gwei or ether). Tokens are not counted. Leave empty for no limit; enter 0 to allow none.",
	},
	{
		displayName: 'Max Native Coin per Execution',
		name: 'maxValuePerExecution',
		type: 'string',
		default: '',
		placeholder: 'e.g. 0.5 ether',
		description:
			"Most of the network's native coin that all writes of one workflow execution may send together, with a unit (wei, gwei or ether). Tokens are not counted. A request over MCP, and a call of a built-in agent, counts as an execution of its own. Leave empty for no limit.",
	},
];

/** The same fields as a credential shows them: under a heading. */
export const spendingPolicyForm: INodeProperties[] = [heading, ...spendingPolicyFields];
