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
