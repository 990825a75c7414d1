import { toQuantity } from 'ethers';
import { blockIn } from './blocks.mts';
import type { Params } from './client.mts';

/** Asks the endpoints for a block. */
export type AskForBlock = (
	read: (answer: unknown) => number | undefined,
	method: string,
	params: Params,
) => Promise<number | undefined>;

/** Number of blocks below the newest one with a state that counts as the present one. */
const NEAR = 2n;

/** The same where blocks are fast, with a time in seconds. */
const NEAR_FAST = 8n;
const FAST_S = 2;

/**
 * Whether a block is too far below the newest one for its state to be the present one.
 *
 * @param head newest block
 * @param ask asks the endpoints for a block
 */
export async function isOld(number: bigint, head: bigint, ask: AskForBlock): Promise<boolean> {
	if (head - number <= NEAR) return false;
	if (head - number > NEAR_FAST) return true;
	const readTime = (answer: unknown) => blockIn(answer)?.time;
	const [time, newest] = await Promise.all(
		[number, head].map(
			async (one) => await ask(readTime, 'eth_getBlockByNumber', [toQuantity(one), false]),
		),
	);
	return time === undefined || newest === undefined || newest - time > FAST_S;
}
