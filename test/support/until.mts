import { setTimeout } from 'node:timers/promises';
import type { Provider } from 'ethers';

/** Polls until a condition holds. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
	while (!(await isSo())) await setTimeout(100);
}

/**
 * Waits until a transaction is in a block. ethers' `waitForTransaction` waits for one more block if the transaction is mined
 * between two of its requests; where only transactions create blocks, that means forever.
 */
export const untilMined = async (chain: Provider, hash: string): Promise<void> =>
	await until(async () => (await chain.getTransactionReceipt(hash)) !== null);
