import type { Provider } from 'ethers';

async function timeOf(provider: Provider, blockNumber: number): Promise<number> {
	const block = await provider.getBlock(blockNumber);
	if (!block) throw new Error(`The chain has no block ${blockNumber}`);
	return block.timestamp;
}

/**
 * The newest block that a history which is behind the chain knows. A block's age counts from now or, when that is
 * later, from the time of the newest block: a development chain's clock can be ahead.
 *
 * @returns its number, below 0 when there is none
 */
export async function newestListed(
	provider: Provider,
	{ lagBlocks, lagSeconds }: { lagBlocks: number; lagSeconds: number },
): Promise<number> {
	const head = await provider.getBlockNumber();
	const newest = head - lagBlocks;
	if (lagSeconds === 0 || newest < 0) return newest;
	const latestTime = Math.max(Date.now() / 1000, await timeOf(provider, head)) - lagSeconds;
	// Times never fall from block to block, so the last one that is old enough is found by halving.
	let [known, unknown] = [-1, newest + 1];
	while (unknown - known > 1) {
		const middle = Math.floor((known + unknown) / 2);
		if ((await timeOf(provider, middle)) <= latestTime) known = middle;
		else unknown = middle;
	}
	return known;
}
