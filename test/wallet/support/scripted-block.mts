/** What the blocks of a scripted chain have. */
import { computeAddress, Transaction, type SigningKey, type TransactionLike } from 'ethers';

/** A log, without its place; addresses in lower case. */
export interface ScriptedLog {
	address: string;
	topics: string[];
	data: string;
}

/** A transaction in a block. */
export interface Included {
	transaction: Transaction;
	hash: string;
	/** Lower case. */
	from: string;
	status: 0 | 1;
	gasUsed: bigint;
	/** What it pays for a unit of gas, in wei. */
	price: bigint;
	logs: ScriptedLog[];
}

/** A transaction in its block. */
export interface Placed {
	block: ScriptedBlock;
	one: Included;
	/** Its position in the block. */
	index: number;
}

export interface ScriptedBlock {
	number: number;
	hash: string;
	parentHash: string;
	/** In seconds since 1970. */
	time: number;
	baseFee: bigint;
	included: Included[];
}

/** A call that is tried out or carried out; addresses in lower case. */
export interface ScriptedCall {
	from: string;
	to: string;
	data: string;
}

/** The endpoint refuses a request with this error. */
export class Refusal extends Error {
	readonly error: { code: number; message: string; data?: string };

	constructor(code: number, message: string, data?: string) {
		super(message);
		this.error = { code, message, ...(data === undefined ? {} : { data }) };
	}
}

/** The highest price of a unit of gas that a transaction offers, and the highest tip. */
export const feeOf = ({ maxFeePerGas, gasPrice }: Transaction): bigint =>
	maxFeePerGas ?? gasPrice ?? 0n;
export const tipOf = ({ maxPriorityFeePerGas, gasPrice }: Transaction): bigint =>
	maxPriorityFeePerGas ?? gasPrice ?? 0n;

const senders = new WeakMap<Transaction, string>();

/** Address of a transaction's sender, in lower case. Recovering it takes a while, so it is done once. */
export function senderOf(transaction: Transaction): string {
	const known = senders.get(transaction) ?? (transaction.from ?? '').toLowerCase();
	senders.set(transaction, known);
	return known;
}

/** The bytes of a transaction of a wallet to itself, which offers ten times the base fee. */
export function signedBy(
	signer: SigningKey,
	{ chainId, baseFee, tip }: { chainId: number; baseFee: bigint; tip: bigint },
	fields: TransactionLike,
): string {
	const transaction = Transaction.from({
		type: 2,
		chainId,
		to: computeAddress(signer).toLowerCase(),
		gasLimit: 100_000n,
		maxFeePerGas: 10n * baseFee,
		maxPriorityFeePerGas: tip,
		...fields,
	});
	transaction.signature = signer.sign(transaction.unsignedHash);
	return transaction.serialized;
}
