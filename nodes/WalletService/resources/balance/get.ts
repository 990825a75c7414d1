import { ROUTES } from '../../request/http/routes';
import type { Operation } from '../operation';
import { tokenParameter, userId } from '../parameters';
import { compareCoinWith, compareWith, onlyWhere, planBalance, storedChoice } from './comparison';
import { BALANCE_FIELDS } from './simplify-balance';

export const getNative: Operation = {
	option: {
		name: 'Get Native',
		value: 'native',
		action: 'Get native coin balance',
		description:
			"Check users' balances of the network's native coin, such as ETH, and compare them with an amount",
	},
	route: ROUTES.nativeBalance,
	input: [userId, compareCoinWith, onlyWhere, storedChoice],
	fields: BALANCE_FIELDS,
	plan: planBalance,
};

export const getToken: Operation = {
	option: {
		name: 'Get Token',
		value: 'token',
		action: 'Get token balance',
		description: "Check users' balances of an ERC-20 token, and compare them with an amount",
	},
	route: ROUTES.tokenBalance,
	input: [userId, tokenParameter, compareWith, onlyWhere, storedChoice],
	fields: BALANCE_FIELDS,
	plan: planBalance,
};
