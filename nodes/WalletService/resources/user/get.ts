import { fillPath } from '../../request/fill-path';
import { prepare } from '../../request/prepare';
import { receive } from '../../request/receive';
import type { Operation } from '../operation';
import { options, simplify, userId } from '../parameters';
import { USER_ROUTE } from './route';
import { simplifyUser } from './simplify-user';

export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get a user and their wallet',
		description: "Look up a user's profile and wallet address",
		routing: {
			request: { method: 'GET', url: USER_ROUTE },
			send: { paginate: true, preSend: [prepare(fillPath)] },
			output: { postReceive: [receive(simplifyUser)] },
		},
	},
	input: [userId],
	output: [simplify, options],
};
