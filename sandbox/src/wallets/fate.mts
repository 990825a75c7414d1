import { getBytes } from 'ethers';

const BASE_GAS = 21_000n;
const GAS_OF_ZERO = 10n;
const GAS_OF_OTHER_BYTE = 40n;

/**
 * The lowest gas limit a chain accepts for a call (EIP-7623); it leaves almost no gas for execution.
 *
 * @param estimate the lowest gas limit with which the call succeeds
 * @throws Error if the call needs so little gas that no accepted gas limit makes it revert
 */
export function starvedGas(data: string, estimate: bigint): bigint {
	const costs = [...getBytes(data)].map((byte) => (byte === 0 ? GAS_OF_ZERO : GAS_OF_OTHER_BYTE));
	const least = costs.reduce((sum, cost) => sum + cost, BASE_GAS);
	if (least >= estimate) throw new Error('The call needs too little gas to make it revert');
	return least;
}
