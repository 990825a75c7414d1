/** A wallet with the transfers that a service would list. */
import type { KeyedTransfer } from '../../../../nodes/WalletService/trigger/advance-transfers.ts';

/** A transfer with a number, because two transfers may look the same to the trigger. */
export interface MadeTransfer extends KeyedTransfer {
	readonly number: number;
	/** Amount in base units. */
	readonly value: bigint;
}

export class WalletOnChain {
	readonly transfers: MadeTransfer[] = [];

	/** Number of transfers after each block. */
	readonly lengths: number[] = [0];

	#time = 1_700_000_000_000;

	/** Adds a block with a transfer for each number; equal numbers make identical transfers of one transaction. */
	addBlock(transactions: readonly number[]): void {
		this.#time += 1000;
		for (const transaction of transactions) {
			const number = this.transfers.length;
			const [time, value] = [this.#time, BigInt(transaction)];
			this.transfers.push({ number, key: `${time}/${transaction}`, time, value });
		}
		this.lengths.push(this.transfers.length);
	}

	/** The newest `size` of the first `length` transfers, oldest first. */
	window(size: number, length = this.transfers.length): MadeTransfer[] {
		return this.transfers.slice(Math.max(0, length - size), length);
	}
}
