/** Reads the logs of token transfers, without believing an answer that may be cut. */
import { zeroPadValue } from 'ethers';
import { ERC1155_TRANSFERS, TRANSFER, type TransferLog } from '../chain/transfers.mts';
import { blockWith, type Block } from '../rpc/blocks.mts';
import type { RpcClient } from '../rpc/client.mts';
import { EndpointFailure } from '../rpc/failures.mts';
import { address, bytes, hash, ifReadable, index, list, record } from '../rpc/values.mts';

/** A log with its place on the chain. */
export type PlacedLog = TransferLog & {
	blockNumber: number;
	blockHash: string;
	index: number;
	/** undefined if the endpoint does not report it. */
	transactionIndex: number | undefined;
};

/** Blocks, both ends included. */
export interface Range {
	from: number;
	to: number;
}

/** The endpoint lacks a block, or blocks changed while they were read: not a matter of the range's size. */
export class NotThere extends EndpointFailure {}

/** Maximum number of wallets in a request for logs. */
const WALLETS_AT_ONCE = 500;

/** The largest position that has a place in a link, and in an integer of the database. */
const MOST = 999_999_999;

export const hex = (number: number): string => `0x${number.toString(16)}`;

/** @throws NotThere if the endpoint does not have the block */
export async function readBlock(client: RpcClient, number: number): Promise<Block> {
	const answer = await client.call('eth_getBlockByNumber', [hex(number), false]);
	const block = blockWith(number)(answer);
	if (block) return block;
	throw new NotThere(`${client.name} does not have block ${number}`);
}

/** A position of which the database has a column. @throws EndpointFailure */
function position(value: unknown): number {
	const number = index(value);
	if (number <= MOST) return number;
	throw new EndpointFailure(`The endpoint's answer is too large for a position: ${number}`);
}

/**
 * A log of an answer; undefined for one of a block that was undone.
 *
 * @param place what the receipt around it reports
 * @throws EndpointFailure if it is not one
 */
export function placedLog(
	answer: unknown,
	place: Record<string, unknown> = {},
): PlacedLog | undefined {
	const log = record(answer) ?? {};
	if (log.removed === true) return undefined;
	const placeOf = (name: string): unknown => log[name] ?? place[name];
	return {
		address: address(log.address),
		topics: list(log.topics).map(hash),
		data: bytes(log.data ?? '0x'),
		transactionHash: hash(placeOf('transactionHash')),
		blockNumber: index(placeOf('blockNumber')),
		blockHash: hash(placeOf('blockHash')),
		index: position(placeOf('logIndex')),
		transactionIndex: ifReadable(position, placeOf('transactionIndex')),
	};
}

const contentOf = ({ address: contract, topics, data }: PlacedLog): string =>
	[contract, ...topics, data].join();

/** Each log once. @throws EndpointFailure if two are at one place, of which one must be wrong */
export function eachOnce(logs: readonly PlacedLog[]): PlacedLog[] {
	const known = new Map<string, PlacedLog>();
	for (const log of logs) {
		const place = `${log.transactionHash}/${log.index}`;
		const other = known.get(place);
		if (other && contentOf(other) !== contentOf(log)) {
			throw new EndpointFailure(`An endpoint lists two logs at one place: ${place}`);
		}
		known.set(place, log);
	}
	return [...known.values()];
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
