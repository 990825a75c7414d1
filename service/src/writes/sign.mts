import { setImmediate } from 'node:timers/promises';
import { keccak256, recoverAddress, Transaction, type TransactionLike } from 'ethers';
import { encodeTransaction } from '../keys/encoding.mts';
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

/** A signed transaction, 0x-prefixed. */
export interface Signed {
	raw: string;
	hash: string;
}

/**
 * Signs a transaction and checks the result field by field: a signer may be another program. A long call takes a while, in
 * which other requests are answered.
 *
 * @throws Error if the signer signed anything else, or with another key
 */
export async function signChecked(
	signer: Signer,
	wallet: { source: string; address: string },
	{ fees, ...fields }: Unsigned,
): Promise<Signed> {
	const wanted: TransactionLike = { ...fields, ...fees };
	const raw = await signer.sign(wallet.source, wanted);
	await setImmediate();
	const signed = Transaction.from(raw);
	await setImmediate();
	const expected = Transaction.from(wanted);
	const wrong = CHECKED.find((field) => signed[field] !== expected[field]);
	if (wrong !== undefined) throw new Error(`The signer changed the ${wrong} of a transaction`);
	const { signature } = signed;
	const bytes = signature && encodeTransaction(wanted, signature);
	if (!bytes || `0x${bytes.toString('hex')}` !== raw) {
		throw new Error('The signer added something to a transaction');
	}
	await setImmediate();
	const signedBy = recoverAddress(keccak256(encodeTransaction(wanted)), signature);
	if (signedBy !== wallet.address) {
		throw new Error(`The signer signed for ${signedBy}, not for ${wallet.address}`);
	}
	await setImmediate();
	return { raw, hash: keccak256(bytes) };
}
