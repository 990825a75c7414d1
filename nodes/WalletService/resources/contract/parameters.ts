import type { INodeProperties } from 'n8n-workflow';

import { commonFunctionsFor } from '../../contract/token-standards';
import type { ContractOperation } from '../../contract/function';

export const functionSource: INodeProperties = {
	displayName: 'Function Source',
	name: 'functionSource',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Common Function',
			value: 'commonFunction',
			description: 'Choose a function of ERC-20, ERC-721 or ERC-1155 from a list',
		},
		{
			name: 'Contract ABI',
			value: 'contractAbi',
			description: 'Paste the ABI of the contract, and choose one of its functions',
		},
		{
			name: 'Signature',
			value: 'signature',
			description: 'Write the function on one line, as in Solidity',
		},
	],
	default: 'commonFunction',
	description: 'How to select the function to call',
};

export const contractAddress: INodeProperties = {
	displayName: 'Contract Address',
	name: 'contractAddress',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 0xA0b86991...3606eB48',
	description:
		'Address of the contract (0x and 40 hexadecimal digits), or the URL of its page on a block explorer',
};

const signature: Omit<INodeProperties, 'placeholder'> = {
	displayName: 'Function Signature',
	name: 'abi',
	type: 'string',
	default: '',
	required: true,
	description:
		'The function to call, on one line as in Solidity: name, argument types and, for reads, return types',
	hint: "One line from the contract's documentation or source",
	displayOptions: { show: { functionSource: ['signature'] } },
};

/** The signature parameter of each operation, with its own example. */
const signatureFor: Readonly<Record<ContractOperation, INodeProperties>> = {
	read: { ...signature, placeholder: 'e.g. balanceOf(address owner) view returns (uint256)' },
	write: { ...signature, placeholder: 'e.g. transfer(address to, uint256 amount)' },
};

export const contractAbi: INodeProperties = {
	displayName: 'Contract ABI',
	name: 'contractAbi',
	type: 'string',
	typeOptions: { rows: 5 },
	default: '',
	required: true,
	placeholder: 'e.g. [{ "type": "function", ... }]',
	description:
		'The ABI as JSON (block explorers show it next to the source code), a compiler file that holds it, a Solidity interface, or one signature per line',
	hint: 'The list of functions, copied from the Contract tab of a block explorer',
	displayOptions: { show: { functionSource: ['contractAbi'] } },
};

const contractFunction: INodeProperties = {
	displayName: 'Function Name or ID',
	name: 'contractFunction',
	type: 'options',
	typeOptions: {
		loadOptionsMethod: 'getContractFunctions',
		loadOptionsDependsOn: ['contractAbi', 'operation'],
	},
	default: '',
	required: true,
	description:
		'The function to call, with its full types, such as transfer(address,uint256). Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	displayOptions: { show: { functionSource: ['contractAbi'] } },
};

function commonFunctionOf(operation: ContractOperation): INodeProperties {
	const options = commonFunctionsFor(operation).map(
		({ id: value, title: name, declaration: description }) => ({ name, value, description }),
	);
	const preselected = options[0]?.value ?? '';
	return {
		displayName: 'Common Function',
		name: `${operation}Function`,
		type: 'options',
		options,
		default: preselected,
		description: 'The function to call',
		displayOptions: { show: { functionSource: ['commonFunction'] } },
	};
}

/** One parameter per operation, so that switching the operation never leaves a function of the other operation selected. */
export const commonFunctionFor: Readonly<Record<ContractOperation, INodeProperties>> = {
	read: commonFunctionOf('read'),
	write: commonFunctionOf('write'),
};

/** Entry of Options, in place of the fields. */
export const argumentsAsJson: INodeProperties = {
	displayName: 'Arguments as JSON',
	name: 'args',
	type: 'json',
	default: '[]',
	placeholder: 'e.g. ["0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", "1500000"]',
	description:
		'Replaces the fields, for example by an expression: a JSON list in order, or an object keyed by parameter name. Put integers in quotes; amounts (12.5 token, 1.5 ether) and user IDs also work.',
};

export const AS_JSON = ['options', argumentsAsJson.name];

const hasJson = {
	[`/${AS_JSON.join('.')}`]: [
		{ _cnd: { exists: true } } as const,
		{ _cnd: { regex: '^$' } } as const,
	],
};

/** Workflows of earlier versions choose here what Options now offers; the form shows a choice other than the fields. */
const argumentsMode: INodeProperties = {
	displayName: 'Arguments Mode',
	name: 'argumentsMode',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'Fields', value: 'fields', description: 'Fill in one field per argument' },
		{
			name: 'JSON',
			value: 'json',
			description: 'Enter all arguments as one JSON value, for example from an expression',
		},
	],
	default: 'fields',
	description:
		'Saved by an earlier version of this node. With Fields, an expression for all arguments goes into Arguments as JSON under Options.',
	displayOptions: { hide: { '/argumentsMode': ['fields'], ...hasJson } },
};

/** Keeps the choice, as n8n shows a field without a value. */
const savedMode: INodeProperties = {
	displayName: argumentsMode.displayName,
	name: argumentsMode.name,
	type: 'hidden',
	default: 'fields',
};

const argumentValues: INodeProperties = {
	displayName: 'Arguments',
	name: 'arguments',
	type: 'resourceMapper',
	noDataExpression: true,
	default: { mappingMode: 'defineBelow', value: null },
	required: true,
	typeOptions: {
		loadOptionsDependsOn: [
			'operation',
			'functionSource',
			'abi',
			'contractAbi',
			'contractFunction',
			'readFunction',
			'writeFunction',
		],
		resourceMapper: {
			resourceMapperMethod: 'getArgumentFields',
			mode: 'add',
			fieldWords: { singular: 'argument', plural: 'arguments' },
			valuesLabel: 'Arguments',
			addAllFields: true,
			supportAutoMap: false,
			allowEmptyValues: true,
			refreshStaleSchemaOnOpen: true,
		},
	},
	description:
		'One field per argument. Integers accept amounts (12.5 token, 12 base, 1.5 ether), addresses accept user IDs; arrays and tuples are JSON. Changing the function clears the fields.',
	displayOptions: { show: { argumentsMode: ['fields'] }, hide: hasJson },
};

const savedJson: INodeProperties = {
	...argumentsAsJson,
	displayName: argumentValues.displayName,
	displayOptions: { show: { argumentsMode: ['json'] }, hide: hasJson },
};

/** The call parameters of an operation, in the order of the form. */
export const callParameters = (operation: ContractOperation): INodeProperties[] => [
	functionSource,
	commonFunctionFor[operation],
	contractAbi,
	contractFunction,
	signatureFor[operation],
	argumentsMode,
	savedMode,
	argumentValues,
	savedJson,
];
