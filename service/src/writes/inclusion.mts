import { quantity, record } from '../rpc/client.mts';
import type { Endpoints } from '../rpc/endpoints.mts';
import type { Inclusion } from '../store/open-writes.mts';

/** The block in a transaction's receipt; undefined without one. @throws NoAnswer if it is not a receipt */
export function inclusionIn(answer: unknown): Inclusion | undefined {
	const receipt = record(answer);
	if (!receipt) return undefined;
	return {
		hash: String(receipt.transactionHash),
		blockNumber: Number(quantity(receipt.blockNumber)),
		blockHash: String(receipt.blockHash),
		status: Number(quantity(receipt.status)),
	};
}

/**
 * What the transaction of a receipt has paid for gas, in wei; on the OP Stack and Scroll with its place on Ethereum.
 *
 * @returns undefined if the receipt does not tell its price, as on old chains
 */
export function gasPaid(receipt: Record<string, unknown>): bigint | undefined {
	const { gasUsed, effectiveGasPrice: price, l1Fee } = receipt;
	if (typeof price !== 'string') return undefined;
	return quantity(gasUsed) * quantity(price) + quantity(l1Fee ?? '0x0');
}

/** The block with a number in the chain as it is; undefined if there is none yet. */
export async function blockAt(endpoints: Endpoints, blockNumber: number) {
	const params = [`0x${blockNumber.toString(16)}`, false];
	return await endpoints.ask(record, 'eth_getBlockByNumber', params);
}

/** Whether a transaction is in a block. */
export const isIn = (block: Record<string, unknown>, hash: string): boolean =>
	Array.isArray(block.transactions) && block.transactions.includes(hash);

/** An inclusion with its receipt, and the time of the block in seconds since 1970. */
export interface ProvenInclusion extends Inclusion {
	receipt: Record<string, unknown>;
	time: number;
}

/** The block in a transaction's receipt, if it is part of the chain. A receipt alone can be of a block that was undone. */
export async function prove(
	endpoints: Endpoints,
	hash: string,
	answer: unknown,
): Promise<ProvenInclusion | undefined> {
	const receipt = record(answer);
	const inclusion = inclusionIn(answer);
	if (!receipt || inclusion?.hash !== hash) return undefined;
	const block = await blockAt(endpoints, inclusion.blockNumber);
	if (block?.hash !== inclusion.blockHash || !isIn(block, hash)) return undefined;
	return { ...inclusion, receipt, time: Number(quantity(block.timestamp)) };
}

/** An answer that is a receipt or null, as it is. */
const receiptOf = (answer: unknown) => (inclusionIn(answer) ? answer : null);

/** The block of a transaction, if it is part of the chain. */
export const findInclusion = async (
	endpoints: Endpoints,
	hash: string,
): Promise<ProvenInclusion | undefined> =>
	await prove(endpoints, hash, await endpoints.ask(receiptOf, 'eth_getTransactionReceipt', [hash]));

/**
 * Asks all endpoints about a transaction in a block.
 *
 * @returns the receipts with the same block and status, and whether there are only others
 * @throws ChainUnavailable
 */
export async function compareReceipts(
	endpoints: Endpoints,
	{ hash, blockHash, status }: Omit<Inclusion, 'blockNumber'>,
): Promise<{ equal: Record<string, unknown>[]; areOthers: boolean }> {
	const read = (answer: unknown) => ({ receipt: record(answer), ...inclusionIn(answer) });
	const answers = await endpoints.askAnswering('eth_getTransactionReceipt', [hash], read);
	const equal = answers.flatMap(({ receipt, ...found }) =>
		receipt && found.blockHash === blockHash && found.status === status ? [receipt] : [],
	);
	return { equal, areOthers: equal.length === 0 && answers.some(({ receipt }) => receipt) };
}
