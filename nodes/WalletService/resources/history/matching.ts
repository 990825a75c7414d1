import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../../request/http/service-client';
import { mapInTurns } from '../../values/turns';
import { answerItems } from '../plan-get';
import type { TransferFilter } from './filter';
import { matchesDirection, matchesWhat, takesAll } from './filter';
import type { HistoryPage } from './pages';
import { isFalling, pagesOf, reachesBackTo } from './pages';
import type { HistoryEntry } from './transfer';
import { ownAddress, readEntry } from './transfer';

export interface WantedTransfers {
	readonly filter: TransferFilter;
	/** Maximum number of transfers. */
	readonly most: number;
	/** Whether they are read: then the wallet's address is needed. */
	readonly isSimple: boolean;
}

/** The transfers of a history that match a filter. */
export interface MatchingTransfers {
	/** In the service's own JSON, in its order. */
	readonly entries: IDataObject[];
	/** The same, read; empty if neither a filter nor the output needs it. */
	readonly transfers: readonly HistoryEntry[];
	/** Of the user's wallet, lower case; empty if it was not needed. */
	readonly address: string;
	/** Whether the history reaches back to the beginning of the filter, if it has one. */
	readonly windowCovers: boolean | undefined;
	/** Why older ones may be missing; a sentence. */
	readonly lacks: string | undefined;
}

/**
 * Reads as many pages of a history as the filter and the limit need.
 *
 * @param user whose history it is
 * @throws ServiceError
 */
export async function matchingTransfers(
	client: ServiceClient,
	{ url, user }: { readonly url: string; readonly user: string },
	{ filter, most, isSimple }: WantedTransfers,
): Promise<MatchingTransfers> {
	const { since } = filter;
	const isUnread = !isSimple && takesAll(filter);
	const needsAddress = isSimple || filter.direction !== 'any';
	const read = async (page: HistoryPage): Promise<readonly HistoryEntry[]> => {
		const found = (await mapInTurns(page.entries, readEntry)).filter((one) =>
			matchesWhat(one, filter),
		);
		if (found.length > 0 && needsAddress) address ||= await ownAddress(user, client);
		return found.filter((one) => matchesDirection(one, filter, address));
	};
	let address = '';
	let entries: IDataObject[] = [];
	let transfers: readonly HistoryEntry[] = [];
	let windowCovers = false;
	let lacks: string | undefined;
	for await (const page of pagesOf(client, url)) {
		const found = isUnread ? [] : await read(page);
		transfers = transfers.concat(found);
		entries = entries.concat(isUnread ? answerItems(page.value) : found.map(({ entry }) => entry));
		const isBack = since !== undefined && reachesBackTo(page, since);
		windowCovers ||= isBack || page.isLast;
		lacks = windowCovers ? undefined : page.lacks;
		if (entries.length >= most || (isBack && isFalling(page))) break;
	}
	return {
		address,
		entries: entries.slice(0, most),
		transfers: transfers.slice(0, most),
		windowCovers: since === undefined ? undefined : windowCovers,
		lacks: entries.length < most ? lacks : undefined,
	};
}
