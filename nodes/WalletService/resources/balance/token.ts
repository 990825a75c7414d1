import { fillPath } from '../../request/fill-path';
import { prepare } from '../../request/prepare';
import { receive } from '../../request/receive';
import type { Operation } from '../operation';
import { contractAddress, options, simplify, userId } from '../parameters';
import { simplifyBalance } from './simplify-balance';

export const token: Operation = {
	option: {
		name: 'Get Token',
		value: 'token',
		action: 'Get the token balance of a user',
		description: 'Check how much of an ERC-20 token a user has',
		routing: {
			request: { method: 'GET', url: '/v1/users/:userId/balance/:tokenAddress' },
			send: { paginate: true, preSend: [prepare(fillPath)] },
			output: { postReceive: [receive(simplifyBalance)] },
		},
	},
	input: [userId, contractAddress],
	output: [simplify, options],
};
