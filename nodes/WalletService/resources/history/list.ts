import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { ROUTES } from '../../request/http/routes';
import type { Plan } from '../../request/run/plan';
import type { ReadParameter } from '../../request/run/read-parameter';
import { parseCount, parseSwitch } from '../../values/choice';
import { refuse } from '../../values/invalid-input';
import { defined } from '../../values/objects';
import { mapInTurns } from '../../values/turns';
import type { Operation } from '../operation';
import { userId } from '../parameters';
import { planPaths } from '../plan-get';
import { filters, readFilter } from './filter';
import { matchingTransfers } from './matching';
import { ofTransfers, readReturned, returned, TOTAL_FIELDS, totalsOf } from './totals';
import { TRANSFER_FIELDS, transferItem } from './transfer';

const returnAll: INodeProperties = {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
	displayOptions: { hide: ofTransfers },
};

const limit: INodeProperties = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 50,
	description: 'Max number of results to return',
	// With `show: [false]`, n8n would drop the limit if Return All is the string "false".
	displayOptions: { hide: { returnAll: [true], ...ofTransfers } },
};

/** Reads the maximum number of transfers. @throws InvalidInputError if invalid: a truncated list would look complete. */
function readMost(read: ReadParameter): number {
	if (parseSwitch(read('returnAll', returnAll.default), returnAll.displayName)) return Infinity;
	return parseCount(read('limit', limit.default), 'limit');
}

/** Plans a list of transfers. The node filters them, because the service cannot (interface, section 4.4). */
const planHistory: Plan = async (item, run, { url: route, isSimple }) => {
	const what = readReturned(item.read);
	const isTotal = what !== 'transfers';
	if (isTotal && !isSimple) {
		const hint = 'Switch Simplify on, or return transfers';
		refuse(returned.name, 'Totals are not JSON of the service', hint);
	}
	const most = isTotal ? Infinity : readMost(item.read);
	const filter = readFilter(item.read);
	const wanted = { filter, most, isSimple };
	return await planPaths(route, item, async (client, { url, values }): Promise<IDataObject[]> => {
		const { userId: user = '' } = values;
		const found = await matchingTransfers(client, { url, user }, wanted);
		const { transfers, address, lacks: warning, windowCovers } = found;
		if (warning !== undefined) run.warnOnce(item.context, warning, 'older transfers');
		if (isTotal) {
			const isPerPerson = what === 'totalsPerPerson';
			return totalsOf(transfers, address, isPerPerson, { userId: user, windowCovers, warning });
		}
		if (!isSimple) return found.entries;
		const items = await mapInTurns(transfers, (one) => transferItem(one, user, address));
		// The last one is the last line of a table.
		const last = items.pop();
		return last === undefined ? [] : [...items, { ...last, ...defined({ warning }) }];
	});
};

export const list: Operation = {
	option: {
		name: 'Get Many',
		value: 'list',
		action: 'Get many token transfers',
		description:
			"List users' recent ERC-20, ERC-721 and ERC-1155 transfers, received and sent, or their totals: who paid how much",
	},
	route: ROUTES.history,
	input: [userId, returned, returnAll, limit, filters],
	fields: [...new Set(['type', ...TRANSFER_FIELDS, ...TOTAL_FIELDS])],
	plan: planHistory,
};
