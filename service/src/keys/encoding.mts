/** The bytes of transactions. ethers' own encoder takes a tenth of a second for a long call, in which nobody is answered. */
import type { Signature, TransactionLike } from 'ethers';

type Item = Buffer | readonly Item[];

/** First byte of a transaction with a priority fee (EIP-1559). */
const TYPE_2 = Buffer.from([2]);

/** In place of a signature, before there is one (EIP-155). */
const NONE = [Buffer.alloc(0), Buffer.alloc(0)];

/** A number without leading zeros: zero has no bytes. */
function numberIn(value: bigint): Buffer {
	if (value === 0n) return Buffer.alloc(0);
	const digits = value.toString(16);
	return Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
}

const bytesIn = (hex: string): Buffer => Buffer.from(hex.slice(2), 'hex');

function headOf(first: number, length: number): Buffer {
	if (length < 56) return Buffer.from([first + length]);
	const size = numberIn(BigInt(length));
	return Buffer.concat([Buffer.from([first + 55 + size.length]), size]);
}

/** Recursive length prefix, the encoding of all transactions. */
function rlp(item: Item): Buffer {
	if (Buffer.isBuffer(item)) {
		const isItself = item.length === 1 && (item[0] ?? 0) < 0x80;
		return isItself ? item : Buffer.concat([headOf(0x80, item.length), item]);
	}
	const parts = Buffer.concat(item.map(rlp));
	return Buffer.concat([headOf(0xc0, parts.length), parts]);
}

/**
 * The bytes that are signed, or with a signature those that are sent, of a transaction of type 0 or 2 without an access list.
 *
 * @param transaction complete, `to` and `data` as 0x-prefixed hexadecimal digits
 */
export function encodeTransaction(transaction: TransactionLike, signature?: Signature): Buffer {
	const { type, to, data } = transaction;
	const numbers = (...names: readonly (keyof TransactionLike & string)[]): Buffer[] =>
		names.map((name) => numberIn(BigInt(String(transaction[name] ?? 0))));
	const call = [bytesIn(to ?? '0x'), ...numbers('value'), bytesIn(data ?? '0x')];
	const seal = signature && [numberIn(BigInt(signature.r)), numberIn(BigInt(signature.s))];
	if (type === 0) {
		const fields = [...numbers('nonce', 'gasPrice', 'gasLimit'), ...call];
		const chainId = BigInt(transaction.chainId ?? 0);
		const v = 35n + 2n * chainId + BigInt(signature?.yParity ?? 0);
		return rlp([...fields, ...(seal ? [numberIn(v), ...seal] : numbers('chainId').concat(NONE))]);
	}
	const prices = numbers('chainId', 'nonce', 'maxPriorityFeePerGas', 'maxFeePerGas', 'gasLimit');
	const signed = seal ? [numberIn(BigInt(signature.yParity)), ...seal] : [];
	return Buffer.concat([TYPE_2, rlp([...prices, ...call, [], ...signed])]);
}
