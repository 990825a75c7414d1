import { agreedIfKnown } from '../rpc/agreed-if-known.mts';
import { receiptIn, type Receipt } from '../rpc/blocks.mts';
import type { Endpoints } from '../rpc/endpoints.mts';
import { logsIn } from '../rpc/logs.mts';
import { readLog, type Transfer } from './transfers.mts';

/** What the receipt of a transaction says. */
export interface ReceiptEffects extends Pick<Receipt, 'status'> {
	/** The transfers of tokens, in order. */
	transfers: Transfer[];
	/** Its block; undefined where the receipts show different ones, as in a reorganisation. */
	block: Pick<Receipt, 'blockNumber' | 'blockHash'> | undefined;
	/** Whether as many endpoints have such a receipt as must agree. */
	isCertain: boolean;
}

/**
 * What the endpoints agree that the receipt of a transaction says. Its block may change in a reorganisation, at one endpoint
 * before the other.
 *
 * @param hash lower case
 * @returns undefined if none has it
 * @throws ChainUnavailable if they disagree, or none that answers has one that can be read
 */
export async function effectsOf(
	endpoints: Endpoints,
	hash: string,
): Promise<ReceiptEffects | undefined> {
	const blocks = new Map<string, Receipt>();
	const read = (answer: unknown) => {
		const receipt = receiptIn(answer);
		if (receipt?.hash !== hash) return undefined;
		const transfers = logsIn(receipt).flatMap(readLog);
		blocks.set(`${receipt.blockNumber} ${receipt.blockHash}`, receipt);
		return { status: receipt.status, transfers };
	};
	const effects = await agreedIfKnown(endpoints, read, 'eth_getTransactionReceipt', [hash]);
	const [first, ...others] = blocks.values();
	const block = others.length === 0 ? first : undefined;
	return effects && { ...effects.answer, block, isCertain: effects.isCertain };
}
