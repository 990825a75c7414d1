/** What transactions offer for their gas. Every fee that is signed passes `decideFees`. */
import { formatEther, formatUnits } from 'ethers';

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
	/** The usual price in the latest blocks; undefined if the endpoints do not report it. */
	usual?: bigint | undefined;
}

/** The operator's limits for the gas of one transaction, in wei. */
export interface GasCaps {
	/** Highest price of a unit of gas; undefined if only the cost is limited. */
	price: bigint | undefined;
	/** Highest cost of all gas, the data fee included. */
	cost: bigint;
}

/** What the limits are compared with. */
export interface Consumption {
	gasLimit: bigint;
	/** What the transaction pays beyond its gas, in wei. */
	dataFee: bigint;
}

/** Gas costs more than the limits allow, or than is plausible. Nothing was signed. */
export class GasTooExpensive extends Error {}

/** How many times the usual price of the latest blocks a price is believed. */
const MOST_TIMES = 10n;

const larger = (a: bigint, b: bigint) => (a > b ? a : b);
const smaller = (a: bigint, b: bigint) => (a < b ? a : b);
const gwei = (price: bigint) => `${formatUnits(price, 'gwei')} gwei`;

/** The price of a unit of gas at worst. */
export function worstPrice(fees: Fees): bigint {
	return fees.type === 2 ? fees.maxFeePerGas : fees.gasPrice;
}

/** The lowest price with which the next block takes a transaction. */
const lowestPrice = ({ baseFee = 0n, tip }: Market): bigint => baseFee + tip;

/** Whether blocks ask for more than a transaction offers, or for another type of transaction. */
export function isBelow(fees: Fees, market: Market): boolean {
	if (fees.type === 0) return fees.gasPrice < lowestPrice(market);
	if (market.baseFee === undefined) return true;
	return fees.maxPriorityFeePerGas < market.tip || fees.maxFeePerGas < lowestPrice(market);
}

/** Nodes take a replacement if both fees are at least an eighth higher. */
const higher = (fee: bigint): bigint => larger((fee * 115n + 99n) / 100n, fee + 1n);

/** The highest price of a unit of gas that the limits allow, and the setting that says so. @throws GasTooExpensive */
function capOf({ price, cost }: GasCaps, { gasLimit, dataFee }: Consumption): [bigint, string] {
	if (dataFee >= cost) {
		const costs = `The data of the transaction costs ${formatEther(dataFee)} in native coin`;
		throw new GasTooExpensive(`${costs}; "maxGasCost" allows ${formatEther(cost)}`);
	}
	const byCost = (cost - dataFee) / gasLimit;
	return price !== undefined && price < byCost ? [price, 'maxGasPrice'] : [byCost, 'maxGasCost'];
}

/** @param least lowest price that can be signed */
function assertAllowed(market: Market, least: bigint, [cap, setting]: [bigint, string]): void {
	const { usual } = market;
	const asked = lowestPrice(market);
	if (usual !== undefined && asked > MOST_TIMES * usual) {
		const times = `more than ${MOST_TIMES} times the ${gwei(usual)} of the latest blocks`;
		throw new GasTooExpensive(`A unit of gas costs ${gwei(asked)}, ${times}`);
	}
	if (least <= cap) return;
	const most = `"${setting}" allows ${gwei(cap)} for this transaction`;
	throw new GasTooExpensive(`A unit of gas costs ${gwei(least)}; ${most}`);
}

/**
 * The fees of a transaction. They stay sufficient while the base fee doubles; only what a block asks for is paid. A
 * replacement also offers so much more than the earlier transaction that nodes take it.
 *
 * @param replaced fees of the transaction that is replaced
 * @throws GasTooExpensive if no fees suffice that the limits allow, or blocks ask for much more than they did lately
 */
export function decideFees(
	market: Market,
	caps: GasCaps,
	consumption: Consumption,
	replaced?: Fees,
): Fees {
	const { baseFee, tip } = market;
	const cap = capOf(caps, consumption);
	const asked = lowestPrice(market);
	const least = replaced ? larger(asked, higher(worstPrice(replaced))) : asked;
	assertAllowed(market, least, cap);
	if (baseFee === undefined || replaced?.type === 0) return { type: 0, gasPrice: least };
	const maxFeePerGas = larger(least, smaller(2n * baseFee + tip, cap[0]));
	const leastTip = replaced ? higher(replaced.maxPriorityFeePerGas) : 0n;
	return {
		type: 2,
		maxFeePerGas,
		maxPriorityFeePerGas: smaller(larger(leastTip, tip), maxFeePerGas),
	};
}
