import { toQuantity } from 'ethers';
import type { Endpoint } from '../rpc/endpoint.mts';
import type { Endpoints } from '../rpc/endpoints.mts';
import { noteWhether } from '../rpc/heads.mts';
import { ChainUnavailable } from '../rpc/failures.mts';
import { index } from '../rpc/values.mts';

const METHOD = 'eth_getTransactionCount';

/** Number of transactions of a wallet by one endpoint. */
interface CountByEndpoint {
	endpoint: Endpoint;
	count: number;
}

/** The numbers that those endpoints report that answer. @throws ChainUnavailable if none does */
export async function allCounts(
	endpoints: Endpoints,
	address: string,
	block = 'latest',
): Promise<CountByEndpoint[]> {
	const outcomes = await endpoints.outcomes(index, METHOD, [address, block]);
	return outcomes.flatMap((outcome) => {
		return outcome.refusal ? [] : { endpoint: outcome.endpoint, count: outcome.answer };
	});
}

/** The numbers alone. */
const numbersOf = async (...asked: Parameters<typeof allCounts>): Promise<number[]> =>
	(await allCounts(...asked)).map(({ count }) => count);

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
	const counts = await numbersOf(endpoints, address, block);
	if (Math.max(...counts) > known) {
		if (counts.length < endpoints.quorum) {
			throw new ChainUnavailable('Too few endpoints report the transactions of the wallet');
		}
		if (block === 'latest') {
			const { block: newest } = await endpoints.newest();
			counts.push(...(await numbersOf(endpoints, address, toQuantity(newest))));
		}
	}
	return { least: Math.min(...counts), most: Math.max(...counts) };
}

/** Number of blocks for which an endpoint may still answer by an older state. */
const SETTLING = 2n;

/**
 * Notes which endpoints show a transaction in a block, but answer by a state without it: others must not wait for them. They
 * are asked anew, because an answer from before the block says nothing, and only what an endpoint shows itself counts against it.
 *
 * @param counts what they said before
 * @param witnesses those that show the transaction
 * @throws ChainUnavailable if none answers
 */
export async function noteStale(
	endpoints: Endpoints,
	wallet: { address: string; nonce: number },
	counts: readonly CountByEndpoint[],
	{ blockNumber, witnesses }: { blockNumber: number; witnesses: readonly Endpoint[] },
): Promise<void> {
	const newest = BigInt(blockNumber) + SETTLING;
	const settled = new Set(witnesses.filter(({ head }) => head >= newest));
	const isBehind = ({ endpoint, count }: CountByEndpoint) =>
		count <= wallet.nonce && settled.has(endpoint);
	if (!counts.some(isBehind)) return;
	const again = await allCounts(endpoints, wallet.address);
	for (const { endpoint } of again.filter(isBehind)) {
		endpoint.staleAt = performance.now();
		noteWhether(endpoint, false);
	}
}
