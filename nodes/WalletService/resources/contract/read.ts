import { prepare } from '../../request/prepare';
import { receive } from '../../request/receive';
import { options } from '../../request/options';
import type { Operation } from '../operation';
import { contractAddress, simplify } from '../parameters';
import { fillCall } from './fill-call';
import { abi, args } from './parameters';
import { simplifyRead } from './simplify-read';

export const read: Operation = {
	option: {
		name: 'Read',
		value: 'read',
		action: 'Read a value from a contract',
		description: 'Call a function of a smart contract that only returns values; costs nothing',
		routing: {
			request: { method: 'POST', url: '/v1/contracts/method/read' },
			send: { paginate: true, preSend: [prepare(fillCall)] },
			output: { postReceive: [receive(simplifyRead)] },
		},
	},
	input: [contractAddress, abi, args],
	output: [simplify, options],
};
