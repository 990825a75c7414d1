import type { Observation, TimedItem } from './observation';
import { assertDecimals } from './observation';
import type { TransferFilter, TriggerSettings, WatchedEvent } from './settings';
import type { Transfer } from './transfer';
import { readTransfers } from './transfer';
import { advanceTransfers } from './transfer-state';
import type { WalletReader } from './wallet-reader';

type NewTransfer = Extract<WatchedEvent, { name: 'newTransfer' }>;

/** The direction of a transfer, as seen from a wallet; one to itself is incoming. */
function directionOf(transfer: Transfer, address: string): 'incoming' | 'outgoing' {
	return transfer.toAddress === address ? 'incoming' : 'outgoing';
}

/** Whether a transfer from or to a wallet matches the filter of the trigger. */
export function matchesFilter(
	transfer: Transfer,
	address: string,
	filter: TransferFilter,
): boolean {
	const { direction, tokenAddress, minimumAmount } = filter;
	return (
		(direction === 'any' || directionOf(transfer, address) === direction) &&
		(tokenAddress === undefined || transfer.tokenAddress === tokenAddress) &&
		transfer.value >= minimumAmount
	);
}

/**
 * Asks the service for the transfers of a user's wallet.
 *
 * @param knownAddress the wallet's address, lower case, if it was looked up before
 * @throws ServiceError when the service fails or its answer is malformed, InvalidInputError when the decimals are wrong.
 */
export async function observeTransfers(
	reader: WalletReader,
	userId: string,
	{ filter, emitExisting }: NewTransfer,
	decimals: TriggerSettings['decimals'],
	knownAddress: string | undefined,
): Promise<Observation> {
	const address = knownAddress ?? (await reader.address(userId));
	const transfers = readTransfers(await reader.history(userId), userId);
	for (const { tokenAddress, json } of transfers) {
		if (tokenAddress === filter.tokenAddress) assertDecimals(decimals, json);
	}
	const matches = (transfer: Transfer): boolean => matchesFilter(transfer, address, filter);
	const toItem = (transfer: Transfer, gapPossible: boolean): TimedItem => ({
		time: transfer.time,
		json: { ...transfer.json, direction: directionOf(transfer, address), gapPossible },
	});
	return {
		advance(before) {
			const step = advanceTransfers(before.transfers, transfers, { matches, emitExisting });
			return {
				state: { address, transfers: step.state },
				items: step.fresh.map((transfer) => toItem(transfer, step.gapPossible)),
				mustBeSaved: before.transfers === undefined,
			};
		},
		sample() {
			const latest = transfers.filter(matches).at(-1);
			return latest && toItem(latest, false);
		},
	};
}
