import { ROUTES } from '../../request/http/routes';
import type { Operation } from '../operation';
import { userId } from '../parameters';
import { filters } from './filter-parameters';
import { planHistory } from './history-plan';
import { limit, returnAll } from './limit';
import { TRANSFER_FIELDS } from './transfer';

export const list: Operation = {
	option: {
		name: 'Get Many',
		value: 'list',
		action: 'Get many token transfers',
		description: "List users' recent ERC-20, ERC-721 and ERC-1155 transfers, received and sent",
	},
	route: ROUTES.history,
	input: [userId, returnAll, limit, filters],
	fields: ['type', ...TRANSFER_FIELDS],
	plan: planHistory,
};
