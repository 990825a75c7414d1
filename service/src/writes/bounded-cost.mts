import { Transaction } from 'ethers';
import { worstPrice } from '../rpc/fees.mts';
import { ifReadable, quantity } from '../rpc/values.mts';
import { feesOf } from './sign.mts';

/** A transaction, with what was reserved for it. */
export interface SignedCost {
	/** Signed bytes. */
	raw: string;
	/** What it costs at worst, in wei, with its value. */
	cost: bigint;
}

const smaller = (a: bigint, b: bigint) => (a < b ? a : b);

/**
 * What a transaction has paid beyond its value by its receipt, in wei; on the OP Stack and Scroll with its place on Ethereum.
 * Never more than was signed and reserved: an endpoint can report any number.
 *
 * @returns undefined if the receipt does not report its price in a form that can be read
 */
export function boundedCost(
	{ raw, cost }: SignedCost,
	receipt: Record<string, unknown>,
): bigint | undefined {
	const signed = Transaction.from(raw);
	const gasUsed = ifReadable(quantity, receipt.gasUsed);
	const price = ifReadable(quantity, receipt.effectiveGasPrice);
	const dataFee = ifReadable(quantity, receipt.l1Fee ?? '0x0');
	if (gasUsed === undefined || price === undefined || dataFee === undefined) return undefined;
	const gas = smaller(gasUsed, signed.gasLimit) * smaller(price, worstPrice(feesOf(signed)));
	return smaller(gas + dataFee, cost - signed.value);
}
