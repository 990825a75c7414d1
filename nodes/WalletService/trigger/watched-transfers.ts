import { id } from 'ethers';

import type { ServiceClient } from '../request/http/service-client';
import { isFalling, pagesOf } from '../resources/history/pages';
import type { GivenEntry, HistoryEntry } from '../resources/history/transfer';
import { isTransfer, oddEntry, readEntry, transfersIn } from '../resources/history/transfer';
import { HEXADECIMAL, isAddress } from '../values/address';
import type { KeyedTransfer } from './advance-transfers';
import { MAX_KNOWN } from './advance-transfers';
import type { TransferState } from './state';

/** A transfer with its key. Names and links are not part of the key, because a service may change them later. */
export interface WatchedTransfer extends KeyedTransfer {
	readonly transfer: HistoryEntry;
}

function withKey(transfer: HistoryEntry): WatchedTransfer {
	const { entry, to, token, tokenAddress, toAddress, amount, time } = transfer;
	const { hash } = entry;
	const odd = (field: string, value: unknown) => oddEntry(field, value, transfer);
	const hasHash = typeof hash === 'string' && hash !== '0x' && HEXADECIMAL.test(hash);
	if (!hasHash) throw odd('hash', hash);
	if (Number.isNaN(time)) throw odd('timestamp', entry.timestamp);
	if (!isAddress(tokenAddress)) throw odd('amount.tokenAddress', token.tokenAddress);
	if (!isAddress(toAddress)) throw odd('to.address', to.address);
	const key = [hash.toLowerCase(), tokenAddress, toAddress, String(amount.digits)].join(' ');
	// 64 bits keep the state small.
	return { key: id(key).slice(2, 18), time, transfer };
}

/**
 * Reads the transfers of a history answer (interface, section 4.4), oldest first.
 *
 * @throws ServiceError when any entry is malformed: a partly read answer must not pass for a complete one.
 */
export function readWatchedTransfers(answer: unknown): WatchedTransfer[] {
	const transfers = transfersIn(answer).map((one) => withKey(readEntry(one)));
	const [first, last] = [transfers.at(0)?.time ?? 0, transfers.at(-1)?.time ?? 0];
	// The interface does not define the order.
	const rising = first < last ? transfers : transfers.reverse();
	return rising.sort((one, other) => one.time - other.time);
}

/** The transfers of a wallet since the last poll, and at least one page of earlier ones. */
export interface WatchedTransfers {
	/** Oldest first. */
	readonly transfers: readonly WatchedTransfer[];
	/** Whether the service lists no others. */
	readonly isWhole: boolean;
}

/**
 * Requests the newest page of a history, and older ones until one contains a known transfer.
 *
 * @param state of the last poll; without one, the newest page is enough
 * @throws ServiceError
 */
export async function requestWatchedTransfers(
	client: ServiceClient,
	url: string,
	state: TransferState | undefined,
): Promise<WatchedTransfers> {
	const known = new Set(state?.known);
	let entries: readonly GivenEntry[] = [];
	let isWhole = false;
	for await (const page of pagesOf(client, url, { fresh: true })) {
		entries = [...entries, ...page.entries];
		isWhole = page.isLast;
		const keys = page.entries.filter(isTransfer).map((one) => withKey(readEntry(one)).key);
		const isJoined = state === undefined || keys.some((key) => known.has(key));
		if (isJoined || !isFalling(page) || entries.length >= MAX_KNOWN) break;
	}
	return { transfers: readWatchedTransfers(entries.map(({ entry }) => entry)), isWhole };
}
