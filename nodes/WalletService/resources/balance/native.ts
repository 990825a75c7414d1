import { fillPath } from '../../request/fill-path';
import { prepare } from '../../request/prepare';
import { receive } from '../../request/receive';
import type { Operation } from '../operation';
import { options, simplify, userId } from '../parameters';
import { simplifyBalance } from './simplify-balance';

export const native: Operation = {
	option: {
		name: 'Get Native',
		value: 'native',
		action: 'Get the native coin balance of a user',
		description: "Check how much of the network's native coin (for example ETH) a user has",
		routing: {
			request: { method: 'GET', url: '/v1/users/:userId/balance' },
			send: { paginate: true, preSend: [prepare(fillPath)] },
			output: { postReceive: [receive(simplifyBalance)] },
		},
	},
	input: [userId],
	output: [simplify, options],
};
