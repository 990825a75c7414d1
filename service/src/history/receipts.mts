/** Reads the logs of a block from its receipts: where an endpoint cannot list them, or endpoints list different ones. */
import { receiptIn, type Block, type Receipt } from '../rpc/blocks.mts';
import type { RpcClient } from '../rpc/client.mts';
import { EndpointFailure } from '../rpc/failures.mts';
import { eachOnce, logsIn, type PlacedLog } from '../rpc/logs.mts';
import { ifReadable, list } from '../rpc/values.mts';
import { hex, NotThere } from './logs.mts';

/** Maximum number of receipts that are requested together. */
const TOGETHER = 100;

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
