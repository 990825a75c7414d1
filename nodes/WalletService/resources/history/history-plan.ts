import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../../request/failure/service-error';
import type { ServiceClient } from '../../request/http/service-client';
import type { Item } from '../../request/run/item';
import type { Plan } from '../../request/run/plan';
import type { Run } from '../../request/run/run';
import { settle } from '../../values/settle';
import { answerItems, readExpected, readSimplify } from '../answer-items';
import { resolveUsers } from '../contract/user-addresses';
import { forEachPath, pathOf } from '../each-path';
import { fillPaths } from '../path-parameters';
import type { TransferFilter } from './filter';
import { matchesDirection, matchesWhat, takesAll } from './filter';
import { readLimit } from './limit';
import { readFilter } from './read-filter';
import type { Transfer } from './transfer';
import { readTransfers, transferItem } from './transfer';

/** What an item asks of histories. */
interface Wanted {
	readonly isSimple: boolean;
	readonly most: number;
	readonly filter: TransferFilter;
}

/** The address of a user's own wallet, lower case: what went to it was received. Looked up once in a run. */
async function ownAddress(
	userId: string,
	item: Item,
	run: Run,
	client: ServiceClient,
): Promise<string> {
	const result = await settle(resolveUsers(item, run, [userId], client));
	if (result.status === 'rejected') {
		const error: unknown = result.reason;
		if (!(error instanceof ServiceError)) throw error;
		// The path that the error names is that of the history.
		throw error.with({ message: `The wallet of ${userId} cannot be looked up: ${error.message}` });
	}
	const address = result.value.get(userId);
	if (address !== undefined) return address.toLowerCase();
	throw new ServiceError({
		message: `The service lists transfers of ${userId}, but does not say what their wallet is`,
		hint: 'Without it, received and sent cannot be told apart. Switch Simplify off and remove the filter by direction to get the transfers as they came',
		code: 'not-found',
	});
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
				const transfers = readExpected(answer, readTransfers);
				return await pick(transfers, wanted, userId, () => ownAddress(userId, item, run, client));
			}),
	};
};
