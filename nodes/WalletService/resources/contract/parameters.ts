import type { INodeProperties } from 'n8n-workflow';

/** Parameters that both contract operations show. */

export const abi: INodeProperties = {
	displayName: 'Function Signature',
	name: 'abi',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. balanceOf(address) view returns (uint256)',
	description:
		'The one function to call, in one line as in Solidity or the documentation of the contract: name, argument types, and for reads the types that it returns',
};

export const args: INodeProperties = {
	displayName: 'Arguments',
	name: 'args',
	type: 'json',
	default: '[]',
	placeholder: 'e.g. ["0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", "1500000"]',
	description:
		'The arguments in order, as a JSON list. Write integers in quotes, so that no digit is lost. An expression may give a list as well.',
};
