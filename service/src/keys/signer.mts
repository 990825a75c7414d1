import type { TransactionLike } from 'ethers';

/** Holds keys. A source names one of them, for example `seed:3`. */
export interface Signer {
	/** Checksummed address of a key. @throws Error for an unknown source */
	addressOf(source: string): Promise<string>;
	/** The signed transaction, 0x-prefixed. @throws Error for an unknown source */
	sign(source: string, transaction: TransactionLike): Promise<string>;
}
