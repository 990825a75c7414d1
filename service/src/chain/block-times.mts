import type { Provider } from 'ethers';
import { Remembered } from './remembered.mts';

/** Maximum number of remembered times; a history seldom reaches back further. */
const REMEMBERED = 10_000;

/** Time of a block, in seconds. */
async function timeOf(provider: Provider, block: string | number): Promise<number> {
	const found = await provider.getBlock(block);
	if (!found) throw new Error(`The chain has no block ${block}`);
	return found.timestamp;
}

/** The times of blocks, each read once, by hash: a number may refer to a different block after a reorganisation. */
export const blockTimes = (provider: Provider) =>
	new Remembered(async (hash) => new Date((await timeOf(provider, hash)) * 1000), {
		count: REMEMBERED,
		ms: Infinity,
	});

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
