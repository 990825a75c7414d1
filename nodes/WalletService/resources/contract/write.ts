import type { INodeProperties } from 'n8n-workflow';

import { options } from '../../request/options';
import type { Operation } from '../operation';
import { contractAddress, simplify } from '../parameters';
import { abi, args } from './parameters';
import { WRITE_ROUTE } from './write-route';

const value: INodeProperties = {
	displayName: 'Value (Wei)',
	name: 'value',
	type: 'string',
	default: '',
	placeholder: 'e.g. 1000000000000000',
	description:
		"Amount of the network's native coin to send with the call, in wei (1 ether is 1000000000000000000 wei). Leave empty to send none.",
};

export const write: Operation = {
	option: {
		name: 'Write',
		value: 'write',
		action: 'Submit a transaction to a contract',
		description:
			'Submit a transaction that calls a function of a smart contract and can move money; items are sent one after the other',
		// `executeWrites` sends it: declarative routing would send all items at once.
		routing: { request: { method: 'POST', url: WRITE_ROUTE } },
	},
	input: [contractAddress, abi, args, value],
	output: [simplify, options],
};
