import type { INodeProperties } from 'n8n-workflow';

import { TOKENS } from './read-policy';

/** Explains the fields below; it holds no value. */
const heading: INodeProperties = {
	displayName:
		'Spending limits for all workflows and AI agents with this credential. Per execution is not per day: ten requests can spend ten times. Empty fields, and expressions that return empty text, limit nothing.',
	name: 'spendingLimits',
	type: 'notice',
	default: '',
};

/** Multi-line text. */
const LINES = { type: 'string', typeOptions: { rows: 2 }, default: '' } as const;

/**
 * Limits for all workflows and agents that use a credential; see `policy.ts`. No field may depend on another, because
 * n8n removes hidden fields from a credential. No name may change, because n8n drops values stored under other names.
 * In both cases, limits would be lost.
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
		displayName: 'Allowed Recipients',
		name: 'allowedRecipients',
		...LINES,
		placeholder: 'e.g. DISCORD-100200300400500600, 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
		description:
			'Users or addresses allowed to receive or spend tokens, one per line. Unrecognized functions must be in Allowed Functions; native coin goes only to these or Allowed Contracts. Leave empty to allow all.',
	},
	{
		displayName: TOKENS,
		name: 'amountLimits',
		...LINES,
		placeholder: 'e.g. 250 0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
		description:
			'Maximum of each token that one execution may send or approve, one per line: amount and token address. An NFT counts as 1; unlisted tokens and unknown functions are refused. Leave empty for no limit.',
	},
	{
		displayName: 'Allowed Contracts',
		name: 'allowedContracts',
		...LINES,
		placeholder: 'e.g. 0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
		description:
			'The only contracts that writes may call, as addresses separated by commas or line breaks. Leave empty to allow every contract.',
	},
	{
		displayName: 'Allowed Functions',
		name: 'allowedFunctions',
		...LINES,
		placeholder: 'e.g. transfer(address,uint256), 0x095ea7b3',
		description:
			'The only functions that writes may call, as signatures or 4-byte selectors, separated by commas or line breaks. Leave empty to allow every function.',
	},
	{
		displayName: 'Max Native Coin per Call',
		name: 'maxValuePerCall',
		type: 'string',
		default: '',
		placeholder: 'e.g. 0.1 ether',
		description:
			"Maximum amount of the network's native coin per write, with a unit (wei, gwei or ether). Tokens are not counted. Leave empty for no limit; enter 0 to allow none.",
	},
	{
		displayName: 'Max Native Coin per Execution',
		name: 'maxValuePerExecution',
		type: 'string',
		default: '',
		placeholder: 'e.g. 0.5 ether',
		description:
			"Maximum amount of the network's native coin per execution, MCP request or call of a built-in agent, with a unit (wei, gwei or ether). Tokens are not counted. Leave empty for no limit.",
	},
];

/** The heading and the fields, as a credential shows them. */
export const spendingPolicyForm: INodeProperties[] = [heading, ...spendingPolicyFields];
