import { id } from 'ethers';
import type { IDataObject } from 'n8n-workflow';

import { fillRoute, ROUTES } from '../request/http/routes';
import type { ServiceClient } from '../request/http/service-client';
import type { ReadParameter } from '../request/run/read-parameter';
import type { TransferFilter } from '../resources/history/filter';
import {
	checkFilter,
	DIRECTIONS,
	matchesDirection,
	matchesWhat,
} from '../resources/history/filter';
import type { HistoryEntry } from '../resources/history/transfer';
import {
	NOT_KNOWN,
	oddEntry,
	readEntry,
	transferItem,
	transfersIn,
} from '../resources/history/transfer';
import { LookUps } from '../resources/look-ups/look-ups';
import { lookUpUser } from '../resources/look-ups/user-addresses';
import { parseTokenFilter } from '../resources/read-token';
import { HEXADECIMAL, isAddress } from '../values/address';
import { parseChoice } from '../values/choice';
import { formatDecimal } from '../values/decimal';
import type { Observation, TimedItem, WatchedEvent } from './observation';
import { chainIdOf, isElsewhere, wholeAmount } from './observation';
import type { TransferState, WalletState } from './state';

export interface KeyedTransfer {
	/** Identifies a transfer. Identical transfers of one transaction share a key and are only counted. */
	readonly key: string;
	/** In milliseconds since 1970. */
	readonly time: number;
}

/** Maximum number of keys kept per wallet for the service's current window; older transfers count as known. */
export const MAX_KNOWN = 2000;
/** Minimum number of keys kept for transfers that have left the window, in case a stale answer lists them again. */
export const MIN_REMEMBERED = 200;
/** For a wallet without earlier transfers, a shorter window counts as the whole history. */
export const SMALLEST_WINDOW = 10;

/** Returns the transfers of a window that are not known (`fresh`), and the known keys that it lacks (`left`). */
function beyondKnown<T extends KeyedTransfer>(
	known: readonly string[],
	window: readonly T[],
): { fresh: T[]; left: string[] } {
	const unmatched = new Map<string, number>();
	for (const key of known) unmatched.set(key, (unmatched.get(key) ?? 0) + 1);
	/** Takes one known transfer with this key; false if none is left. */
	const takes = (key: string): boolean => {
		const count = unmatched.get(key) ?? 0;
		if (count > 0) unmatched.set(key, count - 1);
		return count > 0;
	};
	const fresh = window.filter(({ key }) => !takes(key));
	return { fresh, left: known.filter((key) => takes(key)) };
}

/**
 * Processes one history answer. Identical transfers are distinguished by their count, and a count never decreases, so
 * that neither a shrinking window nor a stale answer makes a transfer new again.
 *
 * @param state `undefined` for a wallet that is observed for the first time
 * @param answer transfers of the answer, oldest first
 * @param rules which transfers are wanted, and whether the first answer reports any
 * @returns the new transfers that match, oldest first, and whether earlier ones may be missing, because the service's
 * window was too short
 */
export function advanceTransfers<T extends KeyedTransfer>(
	state: TransferState | undefined,
	answer: readonly T[],
	rules: { readonly matches: (transfer: T) => boolean; readonly emitExisting: boolean },
): { state: TransferState; fresh: T[]; gapPossible: boolean } {
	const before = state?.known ?? [];
	// Chain time only increases: a transfer older than the first answer's oldest one cannot have been made later.
	const floorBefore = state?.floor ?? answer.at(0)?.time ?? 0;
	const window = answer.filter(({ time }) => time >= floorBefore);
	const { fresh, left } = beyondKnown(before, window);
	const isJoined = fresh.length < answer.length;
	const mayMiss = before.length > 0 || answer.length >= SMALLEST_WINDOW;
	const gapPossible =
		state !== undefined && (state.gap || (!isJoined && mayMiss && fresh.length > 0));
	const tooOld = window.at(-1 - MAX_KNOWN)?.time ?? -Infinity;
	const floor = Math.max(floorBefore, tooOld + 1);
	const kept = window.filter(({ time }) => time >= floor).reverse();
	// After a temporarily incomplete answer, the missing transfers must not count as new.
	const remembered = left.slice(0, Math.max(MIN_REMEMBERED, before.length - kept.length));
	const isSilent = state === undefined && !rules.emitExisting;
	const picked = isSilent ? [] : fresh.filter(rules.matches);
	return {
		state: {
			known: [...kept.map(({ key }) => key), ...remembered],
			floor,
			gap: gapPossible && picked.length === 0,
		},
		fresh: picked,
		gapPossible: gapPossible && picked.length > 0,
	};
}

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

/**
 * The wallet's address at the last poll, unless there is a new transfer to another address: a service can assign a user a
 * new wallet, whose incoming transfers would otherwise count as sent.
 */
function lastAddress(
	{ address, transfers: known }: WalletState,
	transfers: readonly WatchedTransfer[],
): string | undefined {
	const isOfAnother = ({ transfer }: WatchedTransfer) => transfer.toAddress !== address;
	const rules = { matches: isOfAnother, emitExisting: true };
	return advanceTransfers(known, transfers, rules).fresh.length === 0 ? address : undefined;
}

const NO_ADDRESS = `0x${'0'.repeat(40)}`;

/** Makes up a transfer that matches the filter, for building a workflow. */
async function exampleTransfer(
	{ direction, tokenAddress = NO_ADDRESS, minimumAmount }: TransferFilter,
	client: ServiceClient,
	userId: string,
): Promise<IDataObject> {
	const lookUps = new LookUps(client, tokenAddress);
	const isOfAny = tokenAddress === NO_ADDRESS;
	const { symbol = NOT_KNOWN } = isOfAny ? { symbol: 'EXAMPLE' } : await lookUps.tokenInWords();
	return {
		sample: 'A made-up example: no transfer of the watched wallets matches yet',
		timestamp: '2000-01-01T00:00:00.000Z',
		direction: direction === 'sent' ? direction : 'received',
		amount: minimumAmount?.digits ? formatDecimal(minimumAmount) : '1.5',
		symbol,
		who: NOT_KNOWN,
		explorerUrl: NOT_KNOWN,
		toAddress: NO_ADDRESS,
		tokenAddress,
		hash: `0x${'0'.repeat(64)}`,
		userId,
		gapPossible: false,
	};
}

/** Reads the event *New Transfer*. @throws InvalidInputError that names the invalid parameter. */
export function watchTransfers(read: ReadParameter, emitExisting: boolean): WatchedEvent {
	const filter = checkFilter({
		direction: parseChoice(read('direction', ''), DIRECTIONS, 'direction'),
		tokenAddress: parseTokenFilter(read('token', ''))?.toLowerCase(),
		minimumAmount: wholeAmount(read, 'minimumAmount'),
	});
	return {
		fingerprint: [filter.tokenAddress],
		example: async (client, userId) => await exampleTransfer(filter, client, userId),
		observe: async (...asked) => await observeTransfers(filter, emitExisting, ...asked),
	};
}

async function observeTransfers(
	filter: TransferFilter,
	emitExisting: boolean,
	...[client, userId, state = {}]: Parameters<WatchedEvent['observe']>
): Promise<Observation> {
	const transfers = readWatchedTransfers(
		await client.get(fillRoute(ROUTES.history.url, { userId }), { fresh: true }),
	);
	const chainId = chainIdOf(transfers.map(({ transfer }) => transfer.token.chainId));
	const known = isElsewhere(state, chainId) ? {} : state;
	const address =
		lastAddress(known, transfers) ?? (await lookUpUser(userId, client)).address.toLowerCase();
	const matches = ({ transfer }: WatchedTransfer): boolean =>
		matchesWhat(transfer, filter) && matchesDirection(transfer, filter, address);
	const toItem = ({ time, transfer }: WatchedTransfer, gapPossible: boolean): TimedItem => ({
		time,
		json: { ...transferItem(transfer, userId, address), gapPossible },
	});
	return {
		chainId,
		advance(before) {
			const step = advanceTransfers(before.transfers, transfers, { matches, emitExisting });
			return {
				state: { address, transfers: step.state },
				items: step.fresh.map((one) => toItem(one, step.gapPossible)),
				mustBeSaved: before.transfers === undefined,
			};
		},
		sample() {
			const latest = transfers.filter(matches).at(-1);
			return latest && toItem(latest, false);
		},
	};
}
