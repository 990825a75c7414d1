import { toQuantity } from 'ethers';
import { blockIn } from './blocks.mts';
import type { Endpoints } from './endpoints.mts';

/** Number of blocks below the newest one with a state that counts as the present one. */
const NEAR = 2n;

/** The same where blocks are fast, with a time in seconds. */
const NEAR_FAST = 8n;
const FAST_S = 2;

/** Whether a block is too far below the newest one for its state to be the present one. @throws ChainUnavailable if none answers */
export async function isOld(endpoints: Endpoints, number: bigint): Promise<boolean> {
	const { head } = endpoints;
	if (head - number <= NEAR) return false;
	if (head - number > NEAR_FAST) return true;
	const readTime = (answer: unknown) => blockIn(answer)?.time;
	const [time, newest] = await Promise.all(
		[number, head].map(async (one) =>
			endpoints.seek(readTime, 'eth_getBlockByNumber', [toQuantity(one), false]),
		),
	);
	return time === undefined || newest === undefined || newest - time > FAST_S;
}
