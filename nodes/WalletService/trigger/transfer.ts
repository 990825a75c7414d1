import { id } from 'ethers';

import { unexpectedAnswer } from '../request/http/answer';
import { readExpected } from '../resources/answer-items';
import type { Transfer } from '../resources/history/transfer';
import { readTransfers } from '../resources/history/transfer';
import type { KeyedTransfer } from './transfer-state';

/** Characters of a key: 64 bits, so that the state stays small. */
const KEY_LENGTH = 16;

/** A transfer of which it can be told whether it is new. Names and links are no part of its key: a service may change them. */
export interface WatchedTransfer extends KeyedTransfer {
	readonly transfer: Transfer;
}

function withKey(transfer: Transfer): WatchedTransfer {
	const { entry, tokenAddress, toAddress, amount, time } = transfer;
	const { hash } = entry;
	const isWhole = typeof hash === 'string' && hash !== '' && tokenAddress !== '';
	if (!isWhole || Number.isNaN(time)) {
		throw unexpectedAnswer('a transfer with hash, time, token and receiver', entry);
	}
	const key = [hash.toLowerCase(), tokenAddress, toAddress, String(amount.digits)].join(' ');
	return { key: id(key).slice(2, 2 + KEY_LENGTH), time, transfer };
}

/** Oldest first. Which way a service sorts is not laid down (interface, section 4.4), so the times tell. */
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
 * @throws ServiceError when any entry is malformed: a half-read answer must not pass for a whole one.
 */
export function readWatchedTransfers(answer: unknown): WatchedTransfer[] {
	return oldestFirst(readExpected(answer, readTransfers).map(withKey));
}
