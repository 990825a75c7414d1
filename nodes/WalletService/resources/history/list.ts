import type { INodeProperties, PostReceiveAction } from 'n8n-workflow';

import { fillPath } from '../../request/fill-path';
import { prepare } from '../../request/prepare';
import { receive } from '../../request/receive';
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
	displayOptions: { show: { returnAll: [false] } },
};

/** The newest transfers up to the limit: the service has no parameter for it (interface, section 4.4). */
export const limitTransfers: PostReceiveAction = async function (transfers) {
	if (this.getNodeParameter('returnAll') === true) return transfers;
	return transfers.slice(0, Number(this.getNodeParameter('limit')));
};

export const list: Operation = {
	option: {
		name: 'Get Many',
		value: 'list',
		action: 'Get many token transfers of a user',
		description: "List a user's recent ERC-20, ERC-721 and ERC-1155 transfers",
		routing: {
			request: { method: 'GET', url: '/v1/users/:userId/history' },
			send: { paginate: true, preSend: [prepare(fillPath)] },
			output: { postReceive: [receive(simplifyHistory), limitTransfers] },
		},
	},
	input: [userId, returnAll, limit],
	output: [simplify, options],
};
