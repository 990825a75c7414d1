/** Blocks, transactions and receipts in an endpoint's answers. */
import { EndpointFailure } from './failures.mts';
import { address, hash, ifReadable, index, list, quantity, record } from './values.mts';

/** The last second of the year 9999, beyond which a time has another form. */
export const MOST_TIME = 253_402_300_799;

/** A block of the chain. */
export interface Block {
	number: number;
	hash: string;
	/** In seconds since 1970; undefined if it cannot be read. */
	time: number | undefined;
	/** Hashes of its transactions; undefined if the answer does not list them. */
	transactions: readonly string[] | undefined;
}

const hashIn = (transaction: unknown): string =>
	hash(typeof transaction === 'string' ? transaction : record(transaction)?.hash);

/** The block in an answer; undefined for null. @throws EndpointFailure if its number or hash cannot be read */
export function blockIn(answer: unknown): Block | undefined {
	const block = record(answer);
	if (!block) return undefined;
	const hashes = (value: unknown) => list(value).map(hashIn);
	return {
		number: index(block.number),
		hash: hash(block.hash),
		time: ifReadable(index, block.timestamp),
		transactions: ifReadable(hashes, block.transactions),
	};
}

/** The block in an answer to the request for the one with a number. @throws EndpointFailure for another one */
export const blockWith =
	(number: number) =>
	(answer: unknown): Block | undefined => {
		const block = blockIn(answer);
		if (block === undefined || block.number === number) return block;
		throw new EndpointFailure(`The endpoint's answer is block ${block.number}, not ${number}`);
	};

/** A transaction, as far as its sender, its nonce and its place are concerned. */
export interface PlacedTransaction {
	hash: string;
	/** Lower case. */
	from: string;
	nonce: number;
	/** undefined for a transaction that is in no block. */
	place: { blockNumber: number; blockHash: string } | undefined;
	/** The answer as it is. */
	answer: Record<string, unknown>;
}

/** The transaction in an answer; undefined for null. @throws EndpointFailure if its hash, sender or nonce cannot be read */
export function transactionIn(value: unknown): PlacedTransaction | undefined {
	const answer = record(value);
	if (!answer) return undefined;
	const { blockNumber, blockHash } = answer;
	// Of one that waits, some clients report the number of the block that is being made.
	const isPlaced = (blockNumber ?? null) !== null && (blockHash ?? null) !== null;
	return {
		hash: hash(answer.hash),
		from: address(answer.from),
		nonce: index(answer.nonce),
		place: isPlaced ? { blockNumber: index(blockNumber), blockHash: hash(blockHash) } : undefined,
		answer,
	};
}

/** A receipt. */
export interface Receipt {
	hash: string;
	blockNumber: number;
	blockHash: string;
	/** 1 if the transaction succeeded, 0 if it reverted; undefined if the receipt does not say it. */
	status: 0 | 1 | undefined;
	/** The answer as it is. */
	answer: Record<string, unknown>;
}

function statusIn(value: unknown): 0 | 1 | undefined {
	const status = ifReadable(quantity, value);
	return status === 1n ? 1 : status === 0n ? 0 : undefined;
}

/** The receipt in an answer; undefined for null. @throws EndpointFailure if the transaction or block cannot be read */
export function receiptIn(value: unknown): Receipt | undefined {
	const answer = record(value);
	// A transaction without a block, as some clients answer before it has one.
	if (!answer || (answer.blockNumber ?? null) === null) return undefined;
	return {
		hash: hash(answer.transactionHash),
		blockNumber: index(answer.blockNumber),
		blockHash: hash(answer.blockHash),
		status: statusIn(answer.status),
		answer,
	};
}
