/** Reads the logs of token transfers, without believing an answer that may be cut. */
import { zeroPadValue } from 'ethers';
import { ERC1155_TRANSFERS, TRANSFER, type TransferLog } from '../chain/transfers.mts';
import type { RpcClient } from '../rpc/client.mts';
import { EndpointFailure } from '../rpc/failures.mts';
import { quantity, record } from '../rpc/values.mts';

export interface Header {
	number: number;
	hash: string;
	/** In seconds since 1970. */
	time: number;
}

/** A log with its place on the chain. */
export type PlacedLog = TransferLog & {
	blockNumber: number;
	blockHash: string;
	index: number;
	transactionIndex: number;
};

/** Blocks, both ends included. */
export interface Range {
	from: number;
	to: number;
}

/** The endpoint lacks a block, or blocks changed while they were read: not a matter of the range's size. */
export class NotThere extends Error {}

/** Maximum number of wallets in a request for logs. */
const WALLETS_AT_ONCE = 500;

const hex = (number: number) => `0x${number.toString(16)}`;

/** @throws NotThere if the endpoint does not have the block */
export async function readHeader(client: Pick<RpcClient, 'call'>, number: number): Promise<Header> {
	const block = record(await client.call('eth_getBlockByNumber', [hex(number), false]));
	if (!block || Number(quantity(block.number)) !== number) {
		throw new NotThere(`An endpoint does not have block ${number}`);
	}
	return { number, hash: String(block.hash), time: Number(quantity(block.timestamp)) };
}

/** A log of an answer. @throws EndpointFailure if it is not one */
export function placedLog(answer: unknown): PlacedLog {
	const { address, topics, data, ...log } = record(answer) ?? {};
	return {
		address: String(address),
		topics: [topics].flat().map(String),
		data: String(data),
		transactionHash: String(log.transactionHash),
		blockNumber: Number(quantity(log.blockNumber)),
		blockHash: String(log.blockHash),
		index: Number(quantity(log.logIndex)),
		transactionIndex: Number(quantity(log.transactionIndex)),
	};
}

/** Whether an answer may be cut: endpoints end at a round number of logs, some without a word. */
const mayBeCut = ({ length }: unknown[]): boolean =>
	length >= 100 && (length % 50 === 0 || length % 1024 === 0);

function filtersOf(wallets: readonly string[]): unknown[][] {
	const topic = wallets.map((address) => zeroPadValue(address, 32));
	return [
		[TRANSFER, topic],
		[TRANSFER, null, topic],
		[ERC1155_TRANSFERS, null, topic],
		[ERC1155_TRANSFERS, null, null, topic],
	];
}

/** All logs of a block. @returns undefined if the endpoint does not know the method */
async function blockLogs(client: RpcClient, number: number): Promise<unknown[] | undefined> {
	try {
		const receipts = await client.call('eth_getBlockReceipts', [hex(number)]);
		if (!Array.isArray(receipts)) {
			throw new NotThere(`An endpoint does not have the receipts of block ${number}`);
		}
		return receipts.flatMap((receipt) => record(receipt)?.logs ?? []);
	} catch (error) {
		if (error instanceof EndpointFailure && error.isUnknownMethod) return undefined;
		throw error;
	}
}

/**
 * The logs of transfers from or to wallets, each once, in any order; more logs may be among them. The first requests begin
 * before anything is awaited, so that they go out together with those that the caller begins at the same moment.
 *
 * @throws Error if the endpoint refuses the range, or may have cut its answer
 */
export async function readLogs(
	client: RpcClient,
	{ from, to }: Range,
	wallets: readonly string[],
): Promise<PlacedLog[]> {
	const groups = Array.from({ length: Math.ceil(wallets.length / WALLETS_AT_ONCE) }, (_, at) =>
		wallets.slice(at * WALLETS_AT_ONCE, (at + 1) * WALLETS_AT_ONCE),
	);
	const blocks = { fromBlock: hex(from), toBlock: hex(to) };
	const requests = groups.flatMap(filtersOf).map(async (topics) => {
		return [await client.call('eth_getLogs', [{ ...blocks, topics }])].flat();
	});
	// Strangers can make more logs in a block than an endpoint lists.
	let refusal: EndpointFailure | undefined;
	const answers = await Promise.all(requests).catch((error: unknown) => {
		if (from < to || !(error instanceof EndpointFailure && error.isRefusal)) throw error;
		refusal = error;
		return [];
	});
	let found = answers.flat();
	if (refusal || answers.some(mayBeCut)) {
		if (from < to) throw new Error(`An answer with logs of the blocks ${from} to ${to} may be cut`);
		const all = await blockLogs(client, from);
		if (!all && refusal) throw refusal;
		found = all ?? found;
	}
	const logs = found.map(placedLog);
	if (logs.some(({ blockNumber }) => blockNumber < from || blockNumber > to)) {
		throw new NotThere(`An endpoint answered with logs of other blocks than ${from} to ${to}`);
	}
	// A transfer between two wallets matches twice.
	return [...new Map(logs.map((log) => [`${log.blockNumber}/${log.index}`, log])).values()];
}
