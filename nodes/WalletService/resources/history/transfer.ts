import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../../request/failure/service-error';
import { unexpectedAnswer } from '../../request/http/answer';
import type { ServiceClient } from '../../request/http/service-client';
import { shortAddress } from '../../values/address';
import type { Decimal } from '../../values/decimal';
import { formatDecimal, readDecimals } from '../../values/decimal';
import { isHash } from '../../values/hashes';
import { readInteger } from '../../values/integers';
import { defined, isItem } from '../../values/objects';
import { momentOf } from '../../values/clock';
import { shownUserId } from '../../values/user-id';
import { plainText } from '../../values/plain-text';
import { foreignWords, isLikeAddress, listed } from '../../values/quote';
import { linkOf } from '../../values/urls';
import { knownUser, nameInWords } from '../look-ups/user-addresses';

/** The direction of a transfer as seen from a wallet; a transfer to itself counts as received. */
export type Direction = 'received' | 'sent';

/** An entry of a history answer before it is read. */
export interface GivenEntry {
	/** The service's JSON, unchanged. */
	readonly entry: unknown;
	/** Position in the answer, from 1. */
	readonly number: number;
}

/** One entry of a history answer (interface, sections 2.4 and 2.5). */
export interface HistoryEntry extends GivenEntry {
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
	/** See {@link timeOf}. */
	readonly time: number;
}

const lowerCase = (value: unknown): string =>
	typeof value === 'string' ? value.toLowerCase() : '';

/** Whether an entry is not a transfer but, for example, pending, failed or an approval. */
function isOther({ entry }: GivenEntry): boolean {
	const type = isItem(entry) ? entry.type : undefined;
	return type !== undefined && type !== null && lowerCase(type) !== 'transfer';
}

/** The failure for an entry outside the interface. */
export const oddEntry = (field: string, value: unknown, { number }: GivenEntry): ServiceError =>
	unexpectedAnswer(`a valid "${field}" in entry ${number} of the history`, value);

/** Reads an entry. @throws ServiceError that names the entry and its malformed field */
export function readEntry(given: GivenEntry): HistoryEntry {
	const { entry, number } = given;
	if (!isItem(entry)) throw unexpectedAnswer(`an object in entry ${number} of the history`, entry);
	const { to, amount: token, type } = entry;
	if (!isItem(to)) throw oddEntry('to', to, given);
	if (!isItem(token)) throw oddEntry('amount', token, given);
	const toAddress = lowerCase(to.address);
	if (toAddress === '') throw oddEntry('to.address', to.address, given);
	// The service's own `formatted` is a JSON number, which cannot represent every amount.
	const [digits, places] = [readInteger(token.valueBn), readDecimals(token.decimals)];
	if (digits === undefined) throw oddEntry('amount.valueBn', token.valueBn, given);
	if (places === undefined) throw oddEntry('amount.decimals', token.decimals, given);
	return {
		entry,
		number,
		type: isOther(given) ? type : undefined,
		to,
		token,
		amount: { digits, places },
		toAddress,
		tokenAddress: lowerCase(token.tokenAddress),
		time: timeOf(given),
	};
}

/**
 * The entries of a history answer, in the order of the service, not read.
 *
 * @param before number of entries on earlier pages
 * @throws ServiceError if it is not a list
 */
export function givenEntries(answer: unknown, before = 0): GivenEntry[] {
	if (!Array.isArray(answer)) throw unexpectedAnswer('a list of transfers', answer);
	return answer.map((entry: unknown, index) => ({ entry, number: before + index + 1 }));
}

/** The transfers among them: nothing else has moved tokens. */
export const transfersIn = (answer: unknown): GivenEntry[] =>
	givenEntries(answer).filter(isTransfer);

/** Whether an entry is a transfer. */
export const isTransfer = (given: GivenEntry): boolean => !isOther(given);

/** The transaction hash, lower case; empty if the service reports none. */
export const hashOf = ({ entry }: GivenEntry): string =>
	isItem(entry) && isHash(entry.hash) ? entry.hash.toLowerCase() : '';

/** In milliseconds since 1970; NaN if the service reports none. */
export const timeOf = ({ entry }: GivenEntry): number =>
	isItem(entry) && typeof entry.timestamp === 'string' ? momentOf(entry.timestamp) : NaN;

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
	...['toAddress', 'tokenAddress', 'tokenId', 'hash', 'userId'],
];

/** The recipient of a sent transfer, or the sender of a received one, whom the interface does not report but services may. */
export function partyOf({ entry, to }: HistoryEntry, direction: Direction | null): IDataObject {
	if (direction !== 'received') return to;
	return isItem(entry.from) ? entry.from : {};
}

/** The name of a party, or its wallet address. A name that a person would read as another address is quoted. */
export function whoIs({ username, address }: IDataObject): IDataObject[string] {
	const wallet = String(address);
	const isOther =
		typeof username === 'string' && username.trim().toLowerCase() !== wallet.toLowerCase();
	if (isOther && isLikeAddress(username)) return nameInWords(username, wallet);
	return (username === '' ? address : (username ?? address)) ?? NOT_KNOWN;
}

function entryInWords({ to, token, amount, tokenAddress }: HistoryEntry): string {
	const what = foreignWords(plainText(token.symbol)) || tokenAddress || 'tokens';
	const wallet = String(to.address);
	const name = nameInWords(to.username, wallet);
	const short = shortAddress(wallet);
	const who = name === short ? short : name === '' ? wallet : `${name} (${short})`;
	return `${formatDecimal(amount)} ${what} to ${who}`;
}

/** Maximum number of transfers in a sentence. */
const MAX_NAMED = 3;

/** The transfers of one transaction, for a sentence: their number, and the first ones. */
export function transfersInWords(transfers: readonly HistoryEntry[]): string {
	const count = transfers.length === 1 ? '' : `${transfers.length} transfers: `;
	return `${count}${listed(transfers.map(entryInWords), MAX_NAMED)}`;
}

/** Converts a transfer to a flat item, human-readable fields first. @param address of the user's wallet, lower case */
export function transferItem(transfer: HistoryEntry, userId: string, address: string): IDataObject {
	const { entry, type, to, token, amount, time } = transfer;
	const { explorerUrl, hash } = entry;
	const { symbol, tokenAddress } = token;
	const direction = directionOf(transfer, address);
	const who = whoIs(partyOf(transfer, direction));
	const tokenId = readInteger(token.tokenId ?? entry.tokenId)?.toString();
	const timestamp = Number.isNaN(time) ? entry.timestamp : new Date(time).toISOString();
	return {
		...defined({ type, timestamp }),
		direction,
		...defined({
			amount: formatDecimal(amount),
			symbol: plainText(symbol),
			who,
			explorerUrl: linkOf(explorerUrl),
		}),
		...defined({ toAddress: to.address, tokenAddress, tokenId, hash, userId }),
	};
}

/** Looks up the address of a user's wallet, lower case, once per run. Transfers to it count as received. */
export async function ownAddress(userId: string, client: ServiceClient): Promise<string> {
	try {
		const user = await knownUser(userId, client);
		if (user !== undefined) return user.address.toLowerCase();
	} catch (error) {
		// The error shows the path of the history, so its message must mention the look-up.
		const what = `The wallet of ${shownUserId(userId)} could not be looked up`;
		throw error instanceof ServiceError
			? error.with({ message: `${what}: ${error.message}` })
			: error;
	}
	throw new ServiceError({
		message: `The service lists transfers of ${shownUserId(userId)} but does not report this user's wallet address`,
		hint: 'To get the transfers without their direction, switch Simplify off and remove the Direction filter',
		code: 'not-found',
	});
}
