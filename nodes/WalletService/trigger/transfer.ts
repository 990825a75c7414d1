import { id } from 'ethers';

import { unexpectedAnswer } from '../request/http/answer';
import { readExpected } from '../resources/answer-items';
import type { HistoryEntry } from '../resources/history/transfer';
import { readTransfers } from '../resources/history/transfer';
import type { KeyedTransfer } from './transfer-state';

/** Characters of a key: 64 bits, so that the state stays small. */
const KEY_LENGTH = 16;

/** A transfer with its key. Names and links are not part of the key, because a service may change them later. */
export interface WatchedTransfer extends KeyedTransfer {
	readonly transfer: HistoryEntry;
}

function withKey(transfer: HistoryEntry): WatchedTransfer {
	const { entry, tokenAddress, toAddress, amount, time } = transfer;
	const { hash } = entry;
	const isWhole = typeof hash === 'string' && hash !== '' && tokenAddress !== '';
	if (!isWhole || Number.isNaN(time)) {
		throw unexpectedAnswer('a transfer with hash, time, token and receiver', entry);
	}
	const key = [hash.toLowerCase(), tokenAddress, toAddress, String(amount.digits)].join(' ');
	return { key: id(key).slice(2, 2 + KEY_LENGTH), time, transfer };
}

/** Sorts by time, oldest first: the interface does not define the order of an answer (section 4.4). */
function oldestFirst(transfers: WatchedTransfer[]): WatchedTransfer[] {
	const first = transfers.at(0);
	const last = transfers.at(-1);
	const isRising = first !== undefined && last !== undefined && first.time < last.time;
	const rising = isRising ? transfers : [...transfers].reverse();
	return rising.sort((one, other) => one.time - other.time);
}

/**
 * The transfers of a history answer (interface, section 4.4), oldest first.
 *
 * @throws ServiceError when any entry is malformed: a partly read answer must not pass for a complete one.
 */
export function readWatchedTransfers(answer: unknown): WatchedTransfer[] {
	return oldestFirst(readExpected(answer, readTransfers).map(withKey));
}
