import { Interface } from 'ethers';
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

/** On networks of the OP Stack, knows what a transaction pays beyond its gas, for its place on the chain below. */
const ORACLE = '0x420000000000000000000000000000000000000F';
const oracle = new Interface([
	'function getL1FeeUpperBound(uint256 unsignedTxSize) view returns (uint256)',
	'function getOperatorFee(uint256 gasUsed) view returns (uint256)',
]);

/** Most bytes of a transaction without its call data. */
const FRAME_BYTES = 200;

/** What a transaction pays beyond its gas on a network of the OP Stack, in wei. @throws ChainUnavailable */
export async function readDataFee(
	endpoints: Endpoints,
	data: string,
	gasLimit: bigint,
): Promise<bigint> {
	const ask = async (name: string, value: bigint): Promise<bigint> => {
		const call = { to: ORACLE, data: oracle.encodeFunctionData(name, [value]) };
		try {
			return quantity(await endpoints.call('eth_call', [call, 'latest']));
		} catch (error) {
			// A network that has no such fee lacks the function.
			if (error instanceof RpcError && error.isOfChain) return 0n;
			throw error;
		}
	};
	const size = BigInt(FRAME_BYTES + data.length / 2);
	const fees = [ask('getL1FeeUpperBound', size), ask('getOperatorFee', gasLimit)];
	return (await Promise.all(fees)).reduce((sum, fee) => sum + fee, 0n);
}
