import type { Provider } from 'ethers';

async function timeOf(provider: Provider, blockNumber: number): Promise<number> {
	const block = await provider.getBlock(blockNumber);
	if (!block) throw new Error(`The chain has no block ${blockNumber}`);
	return block.timestamp;
}

/**
 * The newest block listed by a history that lags behind the chain. A block's age is measured from now, or from the
 * time of the newest block if that is later: the clock of a development chain can be ahead.
 *
 * @returns the block's number; below 0 if no block is listed
 */
export async function newestListed(
	provider: Provider,
	{ lagBlocks, lagSeconds }: { lagBlocks: number; lagSeconds: number },
): Promise<number> {
	const head = await provider.getBlockNumber();
	const newest = head - lagBlocks;
	if (lagSeconds === 0 || newest < 0) return newest;
	const latestTime = Math.max(Date.now() / 1000, await timeOf(provider, head)) - lagSeconds;
	// Block times never decrease, so a binary search finds the last block that is old enough.
	let [known, unknown] = [-1, newest + 1];
	while (unknown - known > 1) {
		const middle = Math.floor((known + unknown) / 2);
		if ((await timeOf(provider, middle)) <= latestTime) known = middle;
		else unknown = middle;
	}
	return known;
}
