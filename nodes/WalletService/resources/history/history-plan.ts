import type { IDataObject } from 'n8n-workflow';

import type { Plan } from '../../request/run/plan';
import { answerItems, readExpected, readSimplify } from '../answer-items';
import { forEachPath, pathOf } from '../each-path';
import { fillPaths } from '../path-parameters';
import type { TransferFilter } from './filter';
import { matchesDirection, matchesWhat, takesAll } from './filter';
import { readLimit } from './limit';
import { ownAddress } from './own-address';
import { readFilter } from './read-filter';
import type { Transfer } from './transfer';
import { readEntries, transferItem } from './transfer';

/** What an item asks of histories. */
interface Wanted {
	readonly isSimple: boolean;
	readonly most: number;
	readonly filter: TransferFilter;
}

/** The wanted transfers of an answer, in the order of the service. */
async function pick(
	transfers: readonly Transfer[],
	{ isSimple, most, filter }: Wanted,
	userId: string,
	findAddress: () => Promise<string>,
): Promise<IDataObject[]> {
	const found = transfers.filter((transfer) => matchesWhat(transfer, filter));
	const needsAddress = isSimple || filter.direction !== 'any';
	if (found.length === 0 || !needsAddress) return found.slice(0, most).map(({ entry }) => entry);
	const address = await findAddress();
	const picked = found.filter((transfer) => matchesDirection(transfer, filter, address));
	return picked
		.slice(0, most)
		.map((transfer) => (isSimple ? transferItem(transfer, userId, address) : transfer.entry));
}

/** The plan of History: Get Many. The service has no parameters for what is wanted (interface, section 4.4). */
export const planHistory: Plan = async (item, run, route) => {
	const wanted = {
		isSimple: readSimplify(item.read),
		most: readLimit(item.read),
		filter: readFilter(item),
	};
	const paths = await fillPaths(route.url, item);
	return {
		url: pathOf(paths, route),
		send: async (client) =>
			await forEachPath(paths, async ({ url, values: { userId = '' } }) => {
				const answer = await client.get(url);
				if (!wanted.isSimple && takesAll(wanted.filter)) {
					return answerItems(answer, undefined).slice(0, wanted.most);
				}
				const transfers = readExpected(answer, readEntries);
				return await pick(transfers, wanted, userId, () =>
					ownAddress(userId, { item, run, client }),
				);
			}),
	};
};
