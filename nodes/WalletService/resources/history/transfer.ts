import type { IDataObject } from 'n8n-workflow';

import { readActiveCredential } from '../../request/credential/active-credential';
import { ServiceError } from '../../request/failure/service-error';
import { unexpectedAnswer } from '../../request/http/answer';
import type { Decimal } from '../../values/decimal';
import { formatDecimal, parseDecimals } from '../../values/decimal';
import { parseBigNumber } from '../../values/integers';
import { isItem } from '../../values/objects';
import { momentOf } from '../../values/clock';
import { plainText } from '../../values/plain-text';
import type { Seeker } from '../look-ups/user-addresses';
import { knownUser } from '../look-ups/user-addresses';

/** The direction of a transfer as seen from a wallet; a transfer to itself counts as received. */
export type Direction = 'received' | 'sent';

/** One entry of a history answer (interface, sections 2.4 and 2.5). */
export interface HistoryEntry {
	/** The service's JSON, unchanged. */
	readonly entry: IDataObject;
	/** The type of an entry that is not a transfer, such as FAILED; absent for transfers. */
	readonly type?: IDataObject[string];
	readonly to: IDataObject;
	readonly token: IDataObject;
	/** In whole tokens. */
	readonly amount: Decimal;
	/** Receiving wallet, lower case. */
	readonly toAddress: string;
	/** Token contract, lower case; empty if the service reports none. */
	readonly tokenAddress: string;
	/** In milliseconds since 1970; NaN if the service reports none. */
	readonly time: number;
}

const lowerCase = (value: unknown): string =>
	typeof value === 'string' ? value.toLowerCase() : '';

/** Whether an entry is not a transfer but, for example, pending, failed or an approval. */
const isOther = ({ type }: IDataObject): boolean =>
	type !== undefined && type !== null && lowerCase(type) !== 'transfer';

function readEntry(entry: unknown): HistoryEntry {
	if (!isItem(entry) || !isItem(entry.to) || !isItem(entry.amount)) {
		throw unexpectedAnswer('a transfer with "to" and "amount"', entry);
	}
	const { to, amount: token, timestamp, type } = entry;
	const toAddress = lowerCase(to.address);
	if (toAddress === '') throw unexpectedAnswer("a transfer with its recipient's address", entry);
	return {
		entry,
		type: isOther(entry) ? type : undefined,
		to,
		token,
		// The service's own `formatted` is a JSON number, which cannot represent every amount.
		amount: { digits: parseBigNumber(token.valueBn), places: parseDecimals(token.decimals) },
		toAddress,
		tokenAddress: lowerCase(token.tokenAddress),
		time: typeof timestamp === 'string' ? momentOf(timestamp) : NaN,
	};
}

/**
 * Reads all entries of a history answer, in the order of the service.
 *
 * @throws ServiceError or InvalidInputError if any entry is malformed: a partly read answer must not pass for a complete
 * one.
 */
export function readEntries(answer: unknown): HistoryEntry[] {
	if (!Array.isArray(answer)) throw unexpectedAnswer('a list of transfers', answer);
	return answer.map(readEntry);
}

/** Reads only the transfers of a history answer: nothing else has moved tokens. @throws like {@link readEntries} */
export function readTransfers(answer: unknown): HistoryEntry[] {
	const isTransfer = (entry: unknown): boolean => !isItem(entry) || !isOther(entry);
	return readEntries(Array.isArray(answer) ? answer.filter(isTransfer) : answer);
}

/** The transaction hash, lower case; empty if the service reports none. */
export const hashOf = ({ entry }: HistoryEntry): string => lowerCase(entry.hash);

/**
 * @param address of the user's wallet, lower case
 * @returns `null` for an entry that is not a transfer
 */
export function directionOf({ type, toAddress }: HistoryEntry, address: string): Direction | null {
	if (type !== undefined) return null;
	return toAddress === address ? 'received' : 'sent';
}

/** Replaces a value that cannot be known; `null` would be ambiguous. */
export const NOT_KNOWN = 'not known';

/** The fields of an item, in order. */
export const TRANSFER_FIELDS: readonly string[] = [
	...['timestamp', 'direction', 'amount', 'symbol', 'who', 'explorerUrl'],
	...['toAddress', 'tokenAddress', 'hash', 'userId'],
];

/** Converts a transfer to a flat item, human-readable fields first. @param address of the user's wallet, lower case */
export function transferItem(transfer: HistoryEntry, userId: string, address: string): IDataObject {
	const { entry, type, to, token, amount, time } = transfer;
	const direction = directionOf(transfer, address);
	const recipient = to.username === '' ? to.address : (to.username ?? to.address);
	return {
		...(type !== undefined && { type }),
		timestamp: Number.isNaN(time) ? entry.timestamp : new Date(time).toISOString(),
		direction,
		amount: formatDecimal(amount),
		symbol: plainText(token.symbol),
		// For a received transfer, the service does not report the sender.
		who: direction === 'received' ? NOT_KNOWN : recipient,
		explorerUrl: entry.explorerUrl,
		toAddress: to.address,
		tokenAddress: token.tokenAddress,
		hash: entry.hash,
		userId,
	} as IDataObject;
}

/** Looks up the address of a user's wallet, lower case, once per run. Transfers to it count as received. */
export async function ownAddress(userId: string, seeker: Seeker): Promise<string> {
	try {
		const credential = await readActiveCredential(seeker.item.context);
		const user = await knownUser(userId, { ...seeker, credential });
		if (user !== undefined) return user.address.toLowerCase();
	} catch (error) {
		// The error shows the path of the history, so its message must mention the look-up.
		const what = `The wallet of ${userId} could not be looked up`;
		throw error instanceof ServiceError
			? error.with({ message: `${what}: ${error.message}` })
			: error;
	}
	throw new ServiceError({
		message: `The service lists transfers of ${userId} but does not report this user's wallet address`,
		hint: 'To get the transfers without their direction, switch Simplify off and remove the Direction filter',
		code: 'not-found',
	});
}
