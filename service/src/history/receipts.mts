/** Reads the logs of a block from its receipts: where an endpoint cannot list them, or endpoints list different ones. */
import { receiptIn, type Block, type Receipt } from '../rpc/blocks.mts';
import type { RpcClient } from '../rpc/client.mts';
import { EndpointFailure } from '../rpc/failures.mts';
import { ifReadable, list } from '../rpc/values.mts';
import { eachOnce, hex, NotThere, placedLog, type PlacedLog } from './logs.mts';

/** Maximum number of receipts that are requested together. */
const TOGETHER = 100;

/**
 * The logs in a receipt, in order. What a log leaves out about its place is that of the receipt.
 *
 * @throws EndpointFailure if one cannot be read, or is of another transaction
 */
export function logsIn({ answer, hash, blockHash }: Receipt): PlacedLog[] {
	const { transactionHash, transactionIndex, blockNumber } = answer;
	const logs = list(answer.logs).flatMap((log, logIndex) => {
		const place = { transactionHash, transactionIndex, blockNumber, blockHash, logIndex };
		return placedLog(log, place) ?? [];
	});
	if (logs.some((log) => log.transactionHash !== hash || log.blockHash !== blockHash)) {
		throw new EndpointFailure(`The receipt of ${hash} has logs of another transaction`);
	}
	return eachOnce(logs);
}

/** The receipts of a block that the endpoint lists together: of some clients none, or not all. */
async function listed(client: RpcClient, { number, hash }: Block): Promise<Receipt[]> {
	const answer = await client
		.call('eth_getBlockReceipts', [hex(number)])
		.catch((error: unknown) => {
			if (error instanceof EndpointFailure) return [];
			throw error;
		});
	const receipts = (ifReadable(list, answer) ?? []).flatMap(
		(one) => ifReadable(receiptIn, one) ?? [],
	);
	return receipts.filter(({ blockHash }) => blockHash === hash);
}

/** All logs of a block. @throws EndpointFailure if the endpoint lacks a receipt */
export async function logsOfBlock(client: RpcClient, block: Block): Promise<PlacedLog[]> {
	const { number, transactions } = block;
	if (!transactions) throw new NotThere(`${client.name} does not list block ${number}`);
	const receipts = new Map((await listed(client, block)).map((one) => [one.hash, one]));
	const missing = transactions.filter((hash) => !receipts.has(hash));
	const readOne = async (hash: string): Promise<void> => {
		const receipt = receiptIn(await client.call('eth_getTransactionReceipt', [hash]));
		if (receipt?.hash !== hash || receipt.blockHash !== block.hash) {
			throw new NotThere(`${client.name} does not have the receipts of block ${number}`);
		}
		receipts.set(hash, receipt);
	};
	for (let at = 0; at < missing.length; at += TOGETHER) {
		await Promise.all(missing.slice(at, at + TOGETHER).map(readOne));
	}
	return eachOnce([...receipts.values()].flatMap(logsIn));
}
