import { quantity } from '../rpc/client.mts';
import { ChainUnavailable, type Endpoints } from '../rpc/endpoints.mts';

const METHOD = 'eth_getTransactionCount';

/** Number of transactions that the chain has of a wallet, by one endpoint. */
export const countOf = async (
	endpoints: Endpoints,
	address: string,
	block = 'latest',
): Promise<number> => Number(quantity(await endpoints.call(METHOD, [address, block])));

/**
 * The same by the endpoints that know fewest and most: one alone must not close a wallet, nor decide about its next nonce.
 *
 * @throws ChainUnavailable if too few answer
 */
export async function countsOf(
	endpoints: Endpoints,
	address: string,
	block = 'latest',
): Promise<{ least: number; most: number }> {
	const counts = await endpoints.askAnswering(METHOD, [address, block], quantity);
	if (counts.length < endpoints.quorum) {
		throw new ChainUnavailable('Too few endpoints report the transactions of the wallet');
	}
	const numbers = counts.map(Number);
	return { least: Math.min(...numbers), most: Math.max(...numbers) };
}
