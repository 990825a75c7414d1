/** Reads the logs of token transfers, without believing an answer that may be cut. */
import { zeroPadValue } from 'ethers';
import { ERC1155_TRANSFERS, TRANSFER } from '../chain/transfers.mts';
import { blockWith, type Block } from '../rpc/blocks.mts';
import type { RpcClient } from '../rpc/client.mts';
import { EndpointFailure } from '../rpc/failures.mts';
import { eachOnce, placedLog, type PlacedLog } from '../rpc/logs.mts';
import { list } from '../rpc/values.mts';

/** Blocks, both ends included. */
export interface Range {
	from: number;
	to: number;
}

/** The endpoint lacks a block, or blocks changed while they were read: not a matter of the range's size. */
export class NotThere extends EndpointFailure {}

/** Maximum number of wallets in a request for logs. */
const WALLETS_AT_ONCE = 500;

export const hex = (number: number): string => `0x${number.toString(16)}`;

/** @throws NotThere if the endpoint does not have the block */
export async function readBlock(client: RpcClient, number: number): Promise<Block> {
	const answer = await client.call('eth_getBlockByNumber', [hex(number), false]);
	const block = blockWith(number)(answer);
	if (block) return block;
	throw new NotThere(`${client.name} does not have block ${number}`);
}

/** Whether an answer may be cut: endpoints end at a round number of logs, some without a word. */
const mayBeCut = ({ length }: unknown[]): boolean =>
	length >= 100 && (length % 50 === 0 || length % 1024 === 0);

function filtersOf(wallets: readonly string[]): unknown[][] {
	const topic = wallets.map((one) => zeroPadValue(one, 32));
	return [
		[TRANSFER, topic],
		[TRANSFER, null, topic],
		[ERC1155_TRANSFERS, null, topic],
		[ERC1155_TRANSFERS, null, null, topic],
	];
}

/**
 * The logs of transfers from or to wallets, each once, in any order; more logs may be among them. The requests begin before
 * anything is awaited, so that they go out together with those that the caller begins at the same moment.
 *
 * @throws EndpointFailure if the endpoint refuses the range, or may have cut its answer
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
		return list(await client.call('eth_getLogs', [{ ...blocks, topics }]));
	});
	const answers = await Promise.all(requests);
	if (answers.some(mayBeCut)) {
		throw new EndpointFailure(`An answer with logs of the blocks ${from} to ${to} may be cut`);
	}
	const logs = answers.flat().flatMap((one) => placedLog(one) ?? []);
	if (logs.some(({ blockNumber }) => blockNumber < from || blockNumber > to)) {
		throw new NotThere(`An endpoint answered with logs of other blocks than ${from} to ${to}`);
	}
	// A transfer between two wallets matches twice.
	return eachOnce(logs);
}
