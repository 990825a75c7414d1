import type { INodeProperties } from 'n8n-workflow';

import type { ReadParameter } from '../../request/run/read-parameter';
import { parseCount, parseSwitch } from '../../values/choice';

export const returnAll: INodeProperties = {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
};

export const limit: INodeProperties = {
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
 * @throws InvalidInputError when Return All or Limit is not what it should be: a list that is cut short by mistake looks whole.
 */
export function readLimit(read: ReadParameter): number {
	if (parseSwitch(read('returnAll', returnAll.default), returnAll.displayName)) return Infinity;
	return parseCount(read('limit', limit.default), 'limit');
}
