import { agreedIfKnown } from '../rpc/agreed-if-known.mts';
import { receiptIn, type Receipt } from '../rpc/blocks.mts';
import type { Endpoints } from '../rpc/endpoints.mts';
import { logsIn } from '../rpc/logs.mts';
import { readLog, type Transfer } from './transfers.mts';

/** What the receipt of a transaction says. */
export interface ReceiptEffects extends Pick<Receipt, 'blockNumber' | 'blockHash' | 'status'> {
	/** The transfers of tokens, in order. */
	transfers: Transfer[];
}

/**
 * What the endpoints agree that the receipt of a transaction says. Its block may change in a reorganisation, at one endpoint
 * before the other: it is that of the first receipt.
 *
 * @param hash lower case
 * @returns undefined if none has it
 * @throws ChainUnavailable if they disagree, or none that answers has one that can be read
 */
export async function effectsOf(
	endpoints: Endpoints,
	hash: string,
): Promise<ReceiptEffects | undefined> {
	let first: Receipt | undefined;
	const read = (answer: unknown) => {
		const receipt = receiptIn(answer);
		if (receipt?.hash !== hash) return undefined;
		const transfers = logsIn(receipt).flatMap(readLog);
		first ??= receipt;
		return { status: receipt.status, transfers };
	};
	const effects = await agreedIfKnown(endpoints, read, 'eth_getTransactionReceipt', [hash]);
	return effects && first && { ...first, ...effects.answer };
}
