/** Logs in an endpoint's answers. */
import type { Receipt } from './blocks.mts';
import { EndpointFailure } from './failures.mts';
import { address, bytes, hash, ifReadable, index, list, record } from './values.mts';

/** A log with its place on the chain. */
export interface PlacedLog {
	/** Contract, lower case. */
	address: string;
	topics: string[];
	data: string;
	transactionHash: string;
	blockNumber: number;
	blockHash: string;
	index: number;
	/** undefined if the endpoint does not report it. */
	transactionIndex: number | undefined;
}

/** The largest position that has a place in a link, and in an integer of the database. */
const MOST = 999_999_999;

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
