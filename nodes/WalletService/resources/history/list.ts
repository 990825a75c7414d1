import type { IExecuteSingleFunctions, INodeProperties, PostReceiveAction } from 'n8n-workflow';

import { fillPath } from '../../request/fill-path';
import type { FillRequest } from '../../request/prepare';
import { prepare } from '../../request/prepare';
import { parameterReader } from '../../request/read-parameter';
import { receive } from '../../request/receive';
import { parseCount } from '../../values/count';
import { parseSwitch } from '../../values/switch';
import type { Operation } from '../operation';
import { options, simplify, userId } from '../parameters';
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
	// Not `show: [false]`: n8n takes the value of a hidden parameter away, and Return All may be the text "false".
	displayOptions: { hide: { returnAll: [true] } },
};

/**
 * How many transfers an item asks for at most.
 *
 * @throws InvalidInput when Return All or Limit is not what it should be: a list that is cut short by mistake looks whole.
 */
function limitOf(context: IExecuteSingleFunctions): number {
	const read = parameterReader(context);
	if (parseSwitch(read('returnAll', returnAll.default), returnAll.displayName)) return Infinity;
	return parseCount(read('limit', limit.default), 'limit');
}

/** What is wrong with the limit is said before anything is sent. */
const fillList: FillRequest = async (context, request) => {
	limitOf(context);
	return await fillPath(context, request);
};

/** The first transfers, up to the limit: the service has no parameter for it (interface, section 4.4). */
export const limitTransfers: PostReceiveAction = async function (transfers) {
	return transfers.slice(0, limitOf(this));
};

export const list: Operation = {
	option: {
		name: 'Get Many',
		value: 'list',
		action: 'Get many token transfers of a user',
		description: "List a user's recent ERC-20, ERC-721 and ERC-1155 transfers",
		routing: {
			request: { method: 'GET', url: '/v1/users/:userId/history' },
			send: { paginate: true, preSend: [prepare(fillList)] },
			output: { postReceive: [receive(simplifyHistory), limitTransfers] },
		},
	},
	input: [userId, returnAll, limit],
	output: [simplify, options],
};
