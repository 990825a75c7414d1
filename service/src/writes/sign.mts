import { Transaction, type TransactionLike } from 'ethers';
import type { Signer } from '../keys/signer.mts';
import type { Fees } from '../rpc/fees.mts';
import type { Call } from './call.mts';

/** What is to be signed. */
export interface Unsigned extends Call {
	chainId: number;
	nonce: number;
	gasLimit: bigint;
	fees: Fees;
}

/** The fees of a transaction. */
export function feesOf({ gasPrice, maxFeePerGas, maxPriorityFeePerGas }: Transaction): Fees {
	return maxFeePerGas === null
		? { type: 0, gasPrice: gasPrice ?? 0n }
		: { type: 2, maxFeePerGas, maxPriorityFeePerGas: maxPriorityFeePerGas ?? 0n };
}

const CHECKED = [
	...(['type', 'chainId', 'nonce', 'to', 'data', 'value', 'gasLimit'] as const),
	...(['gasPrice', 'maxFeePerGas', 'maxPriorityFeePerGas'] as const),
];

/**
 * Signs a transaction and checks the result field by field: a signer may be another program.
 *
 * @throws Error if the signer signed anything else, or with another key
 */
export async function signChecked(
	signer: Signer,
	wallet: { source: string; address: string },
	{ fees, ...fields }: Unsigned,
): Promise<Transaction> {
	const wanted: TransactionLike = { ...fields, ...fees };
	const raw = await signer.sign(wallet.source, wanted);
	const signed = Transaction.from(raw);
	const expected = Transaction.from(wanted);
	const wrong = CHECKED.find((field) => signed[field] !== expected[field]);
	if (wrong !== undefined) throw new Error(`The signer changed the ${wrong} of a transaction`);
	if (signed.serialized !== raw || (signed.accessList ?? []).length > 0) {
		throw new Error('The signer added something to a transaction');
	}
	// Recovered from the signature.
	if (signed.from !== wallet.address) {
		throw new Error(`The signer signed for ${signed.from}, not for ${wallet.address}`);
	}
	return signed;
}
