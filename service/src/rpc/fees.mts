import { Interface } from 'ethers';
import type { Endpoints } from './endpoints.mts';
import { ContractRefusal, RequestRefused } from './failures.mts';
import { quantity, record } from './values.mts';
import type { Network } from './networks.mts';

/** What a transaction offers for its gas, in wei: with a base fee (EIP-1559), or on older chains one price. */
export type Fees =
	| { type: 2; maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }
	| { type: 0; gasPrice: bigint };

/** What blocks ask for a unit of gas, in wei. */
export interface Market {
	/** undefined on chains without EIP-1559. */
	baseFee: bigint | undefined;
	/** The priority fee; without a base fee the whole price. */
	tip: bigint;
}

/** The price of a unit of gas at worst. */
export function worstPrice(fees: Fees): bigint {
	return fees.type === 2 ? fees.maxFeePerGas : fees.gasPrice;
}

const larger = (a: bigint, b: bigint) => (a > b ? a : b);
const smaller = (a: bigint, b: bigint) => (a < b ? a : b);

/** An answer of an endpoint; undefined if it refuses the request, as for a method that the network lacks. */
async function ifKnown<T>(answer: Promise<T>): Promise<T | undefined> {
	try {
		return await answer;
	} catch (error) {
		if (error instanceof RequestRefused) return undefined;
		throw error;
	}
}

/** Number of blocks whose priority fees count, and which of the transactions of each, as a percentage. */
const TIP_BLOCKS = '0x14';
const TIP_PERCENTILE = 50;

function rewardsIn(history: unknown): bigint[] {
	const { reward } = record(history) ?? {};
	return Array.isArray(reward) ? reward.flat().map(quantity) : [];
}

/** What a block asks for; undefined on networks without it. */
function baseFeeIn(block: unknown): bigint | undefined {
	const { baseFeePerGas } = record(block) ?? {};
	return baseFeePerGas === undefined || baseFeePerGas === null
		? undefined
		: quantity(baseFeePerGas);
}

/** The usual priority fee of the latest blocks that were not empty, otherwise the node's proposal. */
async function usualTip(endpoints: Endpoints): Promise<bigint> {
	const params = [TIP_BLOCKS, 'latest', [TIP_PERCENTILE]];
	const rewards = (await ifKnown(endpoints.ask(rewardsIn, 'eth_feeHistory', params))) ?? [];
	const paid = rewards.filter((tip) => tip > 0n).sort((a, b) => (a < b ? -1 : 1));
	const middle = paid[Math.floor(paid.length / 2)];
	if (middle !== undefined) return middle;
	return (await ifKnown(endpoints.ask(quantity, 'eth_maxPriorityFeePerGas'))) ?? 0n;
}

/** What blocks ask for, and at least the network's minimum. @throws ChainUnavailable */
export async function readMarket(endpoints: Endpoints, { minTip }: Network): Promise<Market> {
	const [baseFee, usual] = await Promise.all([
		endpoints.ask(baseFeeIn, 'eth_getBlockByNumber', ['latest', false]),
		usualTip(endpoints),
	]);
	if (baseFee === undefined) {
		const price = await endpoints.ask(quantity, 'eth_gasPrice');
		return { baseFee, tip: larger(price, minTip) };
	}
	return { baseFee, tip: larger(usual, minTip) };
}

/** The lowest price with which the next block takes a transaction. */
export const lowestPrice = ({ baseFee = 0n, tip }: Market): bigint => baseFee + tip;

/**
 * Fees that stay sufficient while the base fee doubles; only what a block asks for is paid.
 *
 * @param cap highest price of a unit of gas
 */
export function offer(market: Market, cap: bigint): Fees {
	const { baseFee, tip } = market;
	if (baseFee === undefined) return { type: 0, gasPrice: smaller(tip, cap) };
	const maxFeePerGas = smaller(2n * baseFee + tip, cap);
	return { type: 2, maxFeePerGas, maxPriorityFeePerGas: smaller(tip, maxFeePerGas) };
}

/** Whether blocks ask for more than a transaction offers. */
export function isBelow(fees: Fees, market: Market): boolean {
	if (fees.type === 0) return fees.gasPrice < lowestPrice(market);
	return fees.maxPriorityFeePerGas < market.tip || fees.maxFeePerGas < lowestPrice(market);
}

/** Nodes take a replacement if both fees are at least an eighth higher. */
const higher = (fee: bigint): bigint => larger((fee * 115n + 99n) / 100n, fee + 1n);

/**
 * Fees of a transaction that replaces another one.
 *
 * @param cap highest price of a unit of gas
 * @returns undefined if nodes would take the replacement only above the cap
 */
export function raise(old: Fees, market: Market, cap: bigint): Fees | undefined {
	const least = higher(worstPrice(old));
	if (least > cap) return undefined;
	const price = larger(least, worstPrice(offer(market, cap)));
	if (old.type === 0) return { type: 0, gasPrice: price };
	const tip = larger(higher(old.maxPriorityFeePerGas), market.tip);
	return { type: 2, maxFeePerGas: price, maxPriorityFeePerGas: smaller(tip, price) };
}

/** The operator's limits for the gas of one write, in wei. */
export interface GasCaps {
	/** Highest price of a unit of gas. */
	price: bigint;
	/** Highest cost of all gas, the data fee included. */
	cost: bigint;
}

/** The highest price of a unit of gas that the operator allows a transaction. */
export function highestPrice({ price, cost }: GasCaps, gasLimit: bigint, dataFee = 0n): bigint {
	return smaller(price, cost > dataFee ? (cost - dataFee) / gasLimit : 0n);
}

/** Knows what a transaction pays beyond its gas, for its place on the chain below. */
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

/** What a transaction pays beyond its gas, in wei; 0 on most networks. @throws ChainUnavailable */
export async function readDataFee(
	endpoints: Endpoints,
	{ dataFee }: Network,
	data: string,
	gasLimit: bigint,
): Promise<bigint> {
	if (dataFee === undefined) return 0n;
	const ask = async (name: string, value: bigint | Uint8Array): Promise<bigint> => {
		const call = { to: ORACLES[dataFee], data: oracle.encodeFunctionData(name, [value]) };
		try {
			return await endpoints.ask(quantity, 'eth_call', [call, 'latest']);
		} catch (error) {
			// A network that has no such fee lacks the function.
			if (error instanceof ContractRefusal) return 0n;
			throw error;
		}
	};
	const size = FRAME_BYTES + data.length / 2;
	// Zeros would be cheaper than what will be there.
	if (dataFee === 'scroll') return await ask('getL1Fee', new Uint8Array(size).fill(0xff));
	const fees = [ask('getL1FeeUpperBound', BigInt(size)), ask('getOperatorFee', gasLimit)];
	return (await Promise.all(fees)).reduce((sum, fee) => sum + fee, 0n);
}
