import type { INodeProperties } from 'n8n-workflow';

import { ROUTES } from '../../request/http/routes';
import type { Plan } from '../../request/run/plan';
import type { ReadParameter } from '../../request/run/read-parameter';
import { parseCount } from '../../values/count';
import { parseSwitch } from '../../values/switch';
import type { Operation } from '../operation';
import { options, simplify, userId } from '../parameters';
import { planGet } from '../plan-get';
import { simplifyHistory } from './simplify-history';

const returnAll: INodeProperties = {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
};

const limit: INodeProperties = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 50,
	description: 'Max number of results to return',
	// Not `show: [false]`: n8n removes the value of a hidden parameter, and Return All may be the string "false".
	displayOptions: { hide: { returnAll: [true] } },
};

/**
 * The most transfers that an item returns.
 *
 * @throws InvalidInputError when Return All or Limit is invalid: a list that is truncated by mistake looks complete.
 */
function readLimit(read: ReadParameter): number {
	if (parseSwitch(read('returnAll', returnAll.default), returnAll.displayName)) return Infinity;
	return parseCount(read('limit', limit.default), 'limit');
}

const planAll = planGet(simplifyHistory);

/** The first transfers of the answer, up to the limit: the service has no parameter for it (interface, section 4.4). */
const planList: Plan = async (item, run, route) => {
	const most = readLimit(item.read);
	const { url, send } = await planAll(item, run, route);
	return { url, send: async (client) => (await send(client)).slice(0, most) };
};

export const list: Operation = {
	option: {
		name: 'Get Many',
		value: 'list',
		action: 'Get many token transfers of a user',
		description: "List a user's recent ERC-20, ERC-721 and ERC-1155 transfers",
	},
	route: ROUTES.history,
	input: [userId, returnAll, limit],
	output: [simplify, options],
	plan: planList,
};
