/** Blocks, transactions, receipts and logs of a scripted chain in the form of JSON-RPC. */
import { toQuantity, type Transaction } from 'ethers';
import { senderOf, type Placed, type ScriptedBlock } from './scripted-block.mts';
import type { ScriptedChain } from './scripted-chain.mts';

const NO_BLOOM = `0x${'0'.repeat(512)}`;
const NO_ADDRESS = `0x${'0'.repeat(40)}`;
const GAS_LIMIT = 30_000_000;

/** A transaction's place; its members are null for one that waits for a block. */
interface Place {
	blockHash: string | null;
	blockNumber: string | null;
	transactionIndex: string | null;
}

const NOWHERE: Place = { blockHash: null, blockNumber: null, transactionIndex: null };

const placeOf = ({ hash, number }: ScriptedBlock, index: number): Place => ({
	blockHash: hash,
	blockNumber: toQuantity(number),
	transactionIndex: toQuantity(index),
});

/** A transaction with its signature. @param block the block that has it, and its position; undefined in the pool */
export function transactionForm(
	transaction: Transaction,
	block?: Pick<Placed, 'block' | 'index'>,
): Record<string, unknown> {
	const { hash, to, nonce, value, data, gasLimit, type, chainId, signature } = transaction;
	const { maxFeePerGas, maxPriorityFeePerGas, gasPrice } = transaction;
	const isLegacy = type === 0;
	const parity = toQuantity(signature?.yParity ?? 0);
	const fees =
		maxFeePerGas === null
			? { gasPrice: toQuantity(gasPrice ?? 0n) }
			: {
					maxFeePerGas: toQuantity(maxFeePerGas),
					maxPriorityFeePerGas: toQuantity(maxPriorityFeePerGas ?? 0n),
					gasPrice: toQuantity(maxFeePerGas),
				};
	return {
		hash,
		from: senderOf(transaction),
		to: to?.toLowerCase() ?? null,
		input: data,
		nonce: toQuantity(nonce),
		value: toQuantity(value),
		gas: toQuantity(gasLimit),
		type: toQuantity(type ?? 0),
		chainId: toQuantity(chainId),
		...fees,
		r: signature?.r,
		s: signature?.s,
		...(isLegacy
			? { v: toQuantity(signature?.networkV ?? signature?.v ?? 0) }
			: { v: parity, yParity: parity, accessList: [] }),
		...(block ? placeOf(block.block, block.index) : NOWHERE),
	};
}

/** A block. @param isFull whether it has its transactions, or only their hashes */
export function blockForm(block: ScriptedBlock, isFull: boolean): Record<string, unknown> {
	const { number, hash, parentHash, time, baseFee, included } = block;
	const gasUsed = included.reduce((sum, one) => sum + one.gasUsed, 0n);
	return {
		number: toQuantity(number),
		hash,
		parentHash,
		timestamp: toQuantity(time),
		gasLimit: toQuantity(GAS_LIMIT),
		gasUsed: toQuantity(gasUsed),
		extraData: '0x',
		miner: NO_ADDRESS,
		difficulty: '0x0',
		nonce: '0x0000000000000000',
		uncles: [],
		baseFeePerGas: toQuantity(baseFee),
		logsBloom: NO_BLOOM,
		size: '0x400',
		transactions: included.map(({ hash: own, transaction }, index) =>
			isFull ? transactionForm(transaction, { block, index }) : own,
		),
	};
}

/** The logs of a transaction with their places. */
function logForms(
	{ numbersLogs }: ScriptedChain,
	block: ScriptedBlock,
	index: number,
): Record<string, unknown>[] {
	const { logs = [], hash } = block.included[index] ?? {};
	const before = block.included.slice(0, index).reduce((sum, one) => sum + one.logs.length, 0);
	const first = numbersLogs === 'block' ? before : 0;
	const place = { ...placeOf(block, index), transactionHash: hash, removed: false };
	return logs.map((log, number) => ({ ...log, ...place, logIndex: toQuantity(first + number) }));
}

/** All logs of a block with their places. */
export const blockLogForms = (
	chain: ScriptedChain,
	block: ScriptedBlock,
): Record<string, unknown>[] =>
	block.included.flatMap((_one, index) => logForms(chain, block, index));

/** The receipt of a transaction. */
export function receiptForm(
	chain: ScriptedChain,
	{ block, one, index }: Placed,
): Record<string, unknown> {
	const { transaction, from, status, gasUsed, price } = one;
	return {
		transactionHash: one.hash,
		...placeOf(block, index),
		from,
		to: transaction.to?.toLowerCase() ?? null,
		contractAddress: null,
		status: toQuantity(status),
		type: toQuantity(transaction.type ?? 0),
		gasUsed: toQuantity(gasUsed),
		cumulativeGasUsed: toQuantity(gasUsed),
		effectiveGasPrice: toQuantity(price),
		logsBloom: NO_BLOOM,
		logs: logForms(chain, block, index),
	};
}
