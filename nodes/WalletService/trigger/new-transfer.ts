import type { TransferFilter } from '../resources/history/filter';
import { matchesDirection, matchesWhat } from '../resources/history/filter';
import { transferItem } from '../resources/history/transfer';
import type { Observation, TimedItem } from './observation';
import type { WatchedEvent } from './settings';
import type { WalletState } from './state';
import type { WatchedTransfer } from './transfer';
import { readWatchedTransfers } from './transfer';
import { advanceTransfers } from './transfer-state';
import type { WalletReader } from './wallet-reader';

type NewTransfer = Extract<WatchedEvent, { name: 'newTransfer' }>;

/** Whether a transfer from or to a wallet matches the filter of the trigger. */
export function matchesFilter(
	{ transfer }: WatchedTransfer,
	address: string,
	filter: TransferFilter,
): boolean {
	return matchesWhat(transfer, filter) && matchesDirection(transfer, filter, address);
}

/**
 * The address that a wallet had at the last poll, unless something is new that is not to it: a service can give a user
 * another wallet, and what comes to that one would count as sent.
 */
function lastAddress(
	{ address, transfers: known }: WalletState,
	transfers: readonly WatchedTransfer[],
): string | undefined {
	const isElsewhere = ({ transfer }: WatchedTransfer) => transfer.toAddress !== address;
	const rules = { matches: isElsewhere, emitExisting: true };
	return advanceTransfers(known, transfers, rules).fresh.length === 0 ? address : undefined;
}

/**
 * Asks the service for the transfers of a user's wallet.
 *
 * @param state the saved state of the wallet; without one, its address is looked up
 * @throws ServiceError when the service fails or its answer is malformed.
 */
export async function observeTransfers(
	reader: WalletReader,
	userId: string,
	{ filter, emitExisting }: NewTransfer,
	state: WalletState = {},
): Promise<Observation> {
	const transfers = readWatchedTransfers(await reader.history(userId));
	const address = lastAddress(state, transfers) ?? (await reader.address(userId));
	const matches = (one: WatchedTransfer): boolean => matchesFilter(one, address, filter);
	const toItem = ({ time, transfer }: WatchedTransfer, gapPossible: boolean): TimedItem => ({
		time,
		json: { ...transferItem(transfer, userId, address), gapPossible },
	});
	return {
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
