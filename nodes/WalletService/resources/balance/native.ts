import { ROUTES } from '../../request/http/routes';
import type { Operation } from '../operation';
import { options, simplify, userId } from '../parameters';
import { planGet } from '../plan-get';
import { simplifyBalance } from './simplify-balance';

export const native: Operation = {
	option: {
		name: 'Get Native',
		value: 'native',
		action: 'Get the native coin balance of a user',
		description: "Check how much of the network's native coin (for example ETH) a user has",
	},
	route: ROUTES.nativeBalance,
	input: [userId],
	output: [simplify, options],
	plan: planGet(simplifyBalance),
};
