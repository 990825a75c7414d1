import type { Endpoints } from './endpoints.mts';
import { quantity, record, RpcError } from './client.mts';

/** What a transaction offers for its gas, in wei: with a base fee (EIP-1559), or on older chains one price. */
export type Fees =
	| { type: 2; maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }
	| { type: 0; gasPrice: bigint };

/** The price of a unit of gas at worst. */
export function worstPrice(fees: Fees): bigint {
	return fees.type === 2 ? fees.maxFeePerGas : fees.gasPrice;
}

/** The node's proposal for the priority fee; 0 where it has none: on such chains the base fee is enough. */
async function proposedTip(endpoints: Endpoints): Promise<bigint> {
	try {
		return quantity(await endpoints.call('eth_maxPriorityFeePerGas'));
	} catch (error) {
		if (error instanceof RpcError) return 0n;
		throw error;
	}
}

/**
 * Fees that stay sufficient while the base fee doubles; only what a block asks for is paid.
 *
 * @param minTip lowest priority fee that the network accepts
 * @throws ChainUnavailable
 */
export async function readFees(endpoints: Endpoints, minTip: bigint): Promise<Fees> {
	const [head, proposed] = await Promise.all([
		endpoints.call('eth_getBlockByNumber', ['latest', false]),
		proposedTip(endpoints),
	]);
	const baseFee = record(head)?.baseFeePerGas;
	if (baseFee === undefined || baseFee === null) {
		return { type: 0, gasPrice: quantity(await endpoints.call('eth_gasPrice')) };
	}
	const tip = proposed > minTip ? proposed : minTip;
	return { type: 2, maxFeePerGas: 2n * quantity(baseFee) + tip, maxPriorityFeePerGas: tip };
}
