/** The times of blocks, as far as they can be believed. */
import { blockWith, MOST_TIME, type Block } from '../rpc/blocks.mts';
import type { Endpoints } from '../rpc/endpoints.mts';
import { ChainUnavailable } from '../rpc/failures.mts';
import { hex } from './logs.mts';

/** Possible difference between this machine's clock and the chain's, in seconds. */
export const CLOCK_TOLERANCE = 600;

/**
 * The time of a block, in seconds since 1970. One that is missing, before an earlier block, or far ahead of this machine's clock
 * is asked for again: the chain's clock may be ahead, but only if the endpoints agree about it.
 *
 * @param since time of an earlier block
 */
export async function timeOf(
	endpoints: Endpoints,
	{ number, time }: Block,
	since = 0,
): Promise<number> {
	const now = Math.floor(Date.now() / 1_000);
	if (time !== undefined && time >= since && time <= now + CLOCK_TOLERANCE) return time;
	const read = (answer: unknown) => blockWith(number)(answer)?.time;
	const agreed = await endpoints
		.agreed(read, 'eth_getBlockByNumber', [hex(number), false])
		.catch((error: unknown) => {
			if (error instanceof ChainUnavailable) return undefined;
			throw error;
		});
	return Math.min(agreed ?? Math.max(since, Math.min(time ?? now, now)), MOST_TIME);
}
