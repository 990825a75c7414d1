import { ROUTES } from '../../request/http/routes';
import type { Operation } from '../operation';
import { userId } from '../parameters';
import { planGet } from '../plan-get';
import { simplifyUser } from './simplify-user';

export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get user',
		description: "Look up a user's profile and wallet address",
	},
	route: ROUTES.user,
	input: [userId],
	fields: ['id', 'provider', 'username', 'address', 'imageSrc'],
	plan: planGet(simplifyUser),
};
