import { prepare } from '../../request/prepare';
import { receive } from '../../request/receive';
import type { Operation } from '../operation';
import { contractAddress, options, simplify } from '../parameters';
import { fillCall } from './fill-call';
import { callParameters } from './parameters';
import { READ_ROUTE } from './read-route';
import { simplifyRead } from './simplify-read';

export const read: Operation = {
	option: {
		name: 'Read',
		value: 'read',
		action: 'Read a value from a contract',
		description: 'Call a function of a smart contract that only returns values; costs nothing',
		routing: {
			request: { method: 'POST', url: READ_ROUTE },
			send: { paginate: true, preSend: [prepare(fillCall)] },
			output: { postReceive: [receive(simplifyRead)] },
		},
	},
	input: [contractAddress, ...callParameters],
	output: [simplify, options],
};
