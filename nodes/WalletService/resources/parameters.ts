import type { INodeProperties } from 'n8n-workflow';

import { requestOptions } from '../request/http/options';
import { callOptions } from './contract/call-options';
import { amountsIn } from './token/amounts-in';

/** Parameters that more than one operation shows; those of a single operation are in its file. */

export const userId: INodeProperties = {
	displayName: 'User ID',
	name: 'userId',
	type: 'string',
	typeOptions: { rows: 2 },
	default: '',
	placeholder: 'e.g. DISCORD-80351110224678912',
	description:
		"Whose wallet to look at: the identity provider in upper case, a hyphen, and the user's ID there. Several users: one per line, with commas between them, or an expression that gives a list; each gives items of its own. When left empty, the user of the credential is taken.",
};

export const contractAddress: INodeProperties = {
	displayName: 'Contract Address',
	name: 'contractAddress',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
	description:
		'Address of the contract, or of the token: 0x and 40 hexadecimal digits. Copy it from a block explorer.',
};

export const simplify: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

export const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [...requestOptions, ...callOptions, amountsIn].sort((one, other) =>
		one.displayName.localeCompare(other.displayName),
	),
};
