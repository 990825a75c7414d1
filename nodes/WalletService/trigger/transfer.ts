import { id } from 'ethers';
import type { IDataObject } from 'n8n-workflow';

import { unexpectedAnswer } from '../request/http/answer';
import { answerItems } from '../resources/answer-items';
import { simplifyHistory } from '../resources/history/simplify-history';

/** Characters of a key: 64 bits, so that the state stays small. */
const KEY_LENGTH = 16;

/** One entry of a history answer. */
export interface Transfer {
	/**
	 * Identifies a transfer. Identical transfers of one transaction share it: they can only be counted. Names and links
	 * are not part of it, because a service may change them later.
	 */
	readonly key: string;
	/** When it happened, in milliseconds since 1970. */
	readonly time: number;
	/** Amount in base units. */
	readonly value: bigint;
	readonly decimals: number;
	/** Token contract, lower case. */
	readonly tokenAddress: string;
	/** Receiving wallet, lower case. */
	readonly toAddress: string;
	/** The entry in its simplified form. */
	readonly json: IDataObject;
}

function readTransfer(json: IDataObject): Transfer {
	const { hash, tokenAddress, toAddress, value, decimals, timestamp } = json;
	const time = typeof timestamp === 'string' ? Date.parse(timestamp) : NaN;
	if (
		typeof hash !== 'string' ||
		hash === '' ||
		typeof tokenAddress !== 'string' ||
		typeof toAddress !== 'string' ||
		Number.isNaN(time)
	) {
		throw unexpectedAnswer('a transfer with hash, time, token and receiver', json);
	}
	const parts = [hash, tokenAddress, toAddress, String(value)].map((part) => part.toLowerCase());
	return {
		key: id(parts.join(' ')).slice(2, 2 + KEY_LENGTH),
		time,
		value: BigInt(String(value)),
		decimals: Number(decimals),
		tokenAddress: tokenAddress.toLowerCase(),
		toAddress: toAddress.toLowerCase(),
		json,
	};
}

/** Sorts by time, oldest first: the interface does not define the order of an answer (section 4.4). */
function oldestFirst(transfers: Transfer[]): Transfer[] {
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
export function readTransfers(answer: unknown, userId: string): Transfer[] {
	return oldestFirst(
		answerItems(answer, (given) => simplifyHistory(given, { userId })).map(readTransfer),
	);
}
