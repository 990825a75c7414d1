import { toQuantity } from 'ethers';
import type { Endpoints } from '../rpc/endpoints.mts';
import { ChainUnavailable } from '../rpc/failures.mts';
import { index } from '../rpc/values.mts';

const METHOD = 'eth_getTransactionCount';

/** The numbers that those endpoints report that answer. @throws ChainUnavailable if none does */
async function allCounts(endpoints: Endpoints, address: string, block: string): Promise<number[]> {
	const outcomes = await endpoints.outcomes(index, METHOD, [address, block]);
	return outcomes.flatMap((outcome) => (outcome.refusal ? [] : outcome.answer));
}

/**
 * Number of transactions that the chain has of a wallet, by the endpoints that know fewest and most. A number that changes
 * something is looked at a second time, at the number of a block: one answer alone must not close a wallet, nor raise its next
 * nonce.
 *
 * @param options.known number that any endpoint may report alone, because it changes nothing
 * @throws ChainUnavailable if too few answer
 */
export async function countsOf(
	endpoints: Endpoints,
	address: string,
	{ block = 'latest', known = -1 } = {},
): Promise<{ least: number; most: number }> {
	const counts = await allCounts(endpoints, address, block);
	if (Math.max(...counts) > known) {
		if (counts.length < endpoints.quorum) {
			throw new ChainUnavailable('Too few endpoints report the transactions of the wallet');
		}
		if (block === 'latest') {
			const { block: newest } = await endpoints.newest();
			counts.push(...(await allCounts(endpoints, address, toQuantity(newest))));
		}
	}
	return { least: Math.min(...counts), most: Math.max(...counts) };
}
