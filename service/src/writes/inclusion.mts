import { quantity, record } from '../rpc/client.mts';
import type { Inclusion } from '../store/open-writes.mts';

/** The block in a transaction's receipt; undefined without one. @throws NoAnswer if it is not a receipt */
export function inclusionIn(answer: unknown): Inclusion | undefined {
	const receipt = record(answer);
	if (!receipt) return undefined;
	return {
		hash: String(receipt.transactionHash),
		blockNumber: Number(quantity(receipt.blockNumber)),
		blockHash: String(receipt.blockHash),
		status: Number(quantity(receipt.status)),
	};
}
