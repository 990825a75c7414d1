/** What transactions pay beyond their gas, for their place on the chain below. */
import { Interface } from 'ethers';
import type { Endpoints } from './endpoints.mts';
import type { Network } from './networks.mts';
import { quantity } from './values.mts';

/** The contracts that know it. */
const ORACLES = {
	op: '0x420000000000000000000000000000000000000F',
	scroll: '0x5300000000000000000000000000000000000002',
};
const oracle = new Interface([
	'function getL1FeeUpperBound(uint256 unsignedTxSize) view returns (uint256)',
	'function getOperatorFee(uint256 gasUsed) view returns (uint256)',
	'function getL1Fee(bytes transaction) view returns (uint256)',
]);

/** Most bytes of a transaction without its call data. */
const FRAME_BYTES = 200;

/** A network that has no such fee lacks the contract. */
const feeIn = (answer: unknown): bigint => (answer === '0x' ? 0n : quantity(answer));

/** What a transaction pays beyond its gas at most, in wei; 0 on most networks. @throws ChainUnavailable */
export async function readDataFee(
	endpoints: Endpoints,
	{ dataFee }: Network,
	data: string,
	gasLimit: bigint,
): Promise<bigint> {
	if (dataFee === undefined) return 0n;
	const ask = async (name: string, value: bigint | Uint8Array): Promise<bigint> => {
		const call = { to: ORACLES[dataFee], data: oracle.encodeFunctionData(name, [value]) };
		const fees = await endpoints.outcomes(feeIn, 'eth_call', [call, 'latest']);
		return fees.reduce((most, fee) => (fee.refusal || fee.answer < most ? most : fee.answer), 0n);
	};
	const size = FRAME_BYTES + data.length / 2;
	// Zeros would be cheaper than what will be there.
	if (dataFee === 'scroll') return await ask('getL1Fee', new Uint8Array(size).fill(0xff));
	const fees = [ask('getL1FeeUpperBound', BigInt(size)), ask('getOperatorFee', gasLimit)];
	return (await Promise.all(fees)).reduce((sum, fee) => sum + fee, 0n);
}
