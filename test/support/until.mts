import { setTimeout } from 'node:timers/promises';
import type { Provider } from 'ethers';

/** Waits until something holds that can only be asked for. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
	while (!(await isSo())) await setTimeout(100);
}

/**
 * Waits until a transaction is in a block. `waitForTransaction` of ethers waits for one block more when the transaction is mined
 * between two of its requests; where blocks come with transactions only, that is for ever.
 */
export const untilMined = async (chain: Provider, hash: string): Promise<void> =>
	await until(async () => (await chain.getTransactionReceipt(hash)) !== null);
