import { quantity } from '../rpc/client.mts';
import { ChainUnavailable, type Endpoints } from '../rpc/endpoints.mts';

const METHOD = 'eth_getTransactionCount';

/** Number of transactions that the chain has of a wallet, by one endpoint. */
export const countOf = async (
	endpoints: Endpoints,
	address: string,
	block = 'latest',
): Promise<number> => Number(await endpoints.ask(quantity, METHOD, [address, block]));

/**
 * The same by the endpoints that know fewest and most: one alone must not close a wallet, nor raise its next nonce.
 *
 * @param options.known number that any endpoint may report alone, because it changes nothing
 * @throws ChainUnavailable if too few answer
 */
export async function countsOf(
	endpoints: Endpoints,
	address: string,
	{ block = 'latest', known = -1 } = {},
): Promise<{ least: number; most: number }> {
	const counts = await endpoints.askAnswering(METHOD, [address, block], quantity);
	const numbers = counts.map(Number);
	const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
	if (most > known && counts.length < endpoints.quorum) {
		throw new ChainUnavailable('Too few endpoints report the transactions of the wallet');
	}
	return { least, most };
}
