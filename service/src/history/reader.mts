import type { RpcClient } from '../rpc/client.mts';
import { EndpointFailure } from '../rpc/failures.mts';
import { record } from '../rpc/values.mts';
import type { Endpoints } from '../rpc/endpoints.mts';
import type { TransferRow } from '../store/tables.mts';
import {
	NotThere,
	readHeader,
	readLogs,
	type Header,
	type PlacedLog,
	type Range,
} from './logs.mts';
import { RangeSizes } from './range-sizes.mts';
import { rowsOf } from './rows.mts';

/** What is to be read. */
export interface Wanted {
	/** IDs of the wallets, by checksummed address. */
	wallets: ReadonlyMap<string, number>;
	/** The blocks of one request. @param most maximum number of blocks */
	range(most: number): Range;
	/** A block that was read before; the chain must still have it. */
	anchor?: { block: number; hash: string };
	/** Further blocks whose headers are read. */
	compared?(range: Range): Promise<readonly number[]>;
	/** Whether a second endpoint is asked, too, if one answers: one may leave out logs without a word. */
	isCompared?: boolean;
}

export interface Reading extends Range {
	/** The endpoint. */
	client: RpcClient;
	rows: TransferRow[];
	/** The last block. */
	end: Header;
	/** The blocks with logs and the compared ones, by number. */
	headers: ReadonlyMap<number, Header>;
}

/** The anchor is no longer part of the chain. */
export class Undone extends Error {}

/** Maximum number of parts in which a range is read again: a second endpoint may take far fewer blocks per request. */
const MOST_PARTS = 20;

const isSilence = (error: unknown): boolean => error instanceof EndpointFailure && !error.isRefusal;

const isMatterOfRange = (error: unknown): boolean =>
	!(error instanceof NotThere || error instanceof Undone);

/**
 * The sender of a transaction, in lower case; empty if it is not known: a stranger's log must not stop the reading where the
 * method is missing, or the network made the transaction itself.
 *
 * @param place block and index, because nodes forget hashes of old transactions
 */
async function readSender(client: RpcClient, place: string[]): Promise<string> {
	try {
		const found = record(await client.call('eth_getTransactionByBlockHashAndIndex', place));
		return String(found?.from ?? '').toLowerCase();
	} catch (error) {
		if (error instanceof EndpointFailure && error.isRefusal) return '';
		throw error;
	}
}

/** Reads transfers from the endpoints, in ranges of as many blocks as each takes. */
export class TransferReader {
	readonly #endpoints: Endpoints;
	readonly #sizes = new RangeSizes();

	constructor(endpoints: Endpoints) {
		this.#endpoints = endpoints;
	}

	/** @throws Undone if an endpoint lacks the anchor, and no other can be read @throws Error if no endpoint answers */
	async read(wanted: Wanted): Promise<Reading> {
		const reading = await this.#readFrom(this.#endpoints.clients(), wanted);
		if (wanted.isCompared !== true) return reading;
		return { ...reading, rows: [...reading.rows, ...(await this.#readAgain(reading, wanted))] };
	}

	/** The rows of a range from another endpoint; empty if none has it, or takes too few blocks per request. */
	async #readAgain({ client, from, end }: Reading, { wallets }: Wanted): Promise<TransferRow[]> {
		const others = this.#endpoints.clients(true).filter((one) => one !== client);
		const rows: TransferRow[] = [];
		for (let next = from; others.length > 0 && next <= end.number; ) {
			const first = next;
			const range = (most: number) => ({
				from: first,
				to: Math.min(end.number, first + most - 1),
			});
			const part = await this.#readFrom(others, { wallets, range }).catch(() => undefined);
			if (!part || (end.number - first) / (part.to - first + 1) > MOST_PARTS) return [];
			if (part.to === end.number && part.end.hash !== end.hash) return [];
			rows.push(...part.rows);
			next = part.to + 1;
		}
		return rows;
	}

	async #readFrom(clients: readonly RpcClient[], wanted: Wanted): Promise<Reading> {
		for (;;) {
			let problem: unknown;
			let canShrink = false;
			for (const client of clients) {
				const range = wanted.range(this.#sizes.of(client));
				const blocks = range.to - range.from + 1;
				try {
					const reading = await this.#ask(client, range, wanted);
					this.#sizes.succeeded(client, blocks);
					return reading;
				} catch (error) {
					if (isMatterOfRange(error)) this.#sizes.failed(client, blocks);
					canShrink ||= isMatterOfRange(error) && !isSilence(error) && blocks > 1;
					// One endpoint may follow another branch.
					if (!(problem instanceof Undone)) problem = error;
				}
			}
			if (!canShrink) throw problem;
		}
	}

	async #ask(client: RpcClient, range: Range, wanted: Wanted): Promise<Reading> {
		const { wallets, anchor } = wanted;
		const [end, logs, before] = await Promise.all([
			readHeader(client, range.to),
			readLogs(client, range, [...wallets.keys()]),
			anchor && readHeader(client, anchor.block),
		]);
		if (before?.hash !== anchor?.hash) throw new Undone();
		const compared = (await wanted.compared?.(range)) ?? [];
		const numbers = new Set([...compared, ...logs.map(({ blockNumber }) => blockNumber)]);
		const headers = await Promise.all([...numbers].map((number) => readHeader(client, number)));
		const byNumber = new Map(headers.map((header) => [header.number, header]));
		for (const { blockNumber, blockHash } of logs) {
			if (byNumber.get(blockNumber)?.hash !== blockHash) {
				throw new NotThere(`Block ${blockNumber} changed while it was read`);
			}
		}
		const senders = new Map<string, Promise<string>>();
		const senderOf = async ({ blockHash, transactionIndex }: PlacedLog): Promise<string> => {
			const place = [blockHash, `0x${transactionIndex.toString(16)}`];
			const sender = senders.get(place.join()) ?? readSender(client, place);
			senders.set(place.join(), sender);
			return await sender;
		};
		const rows = await rowsOf(logs, {
			wallets,
			timeOf: ({ blockNumber }) => byNumber.get(blockNumber)?.time ?? 0,
			isSender: async (log, wallet) => (await senderOf(log)) === wallet.toLowerCase(),
		});
		return { ...range, client, rows, end, headers: byNumber };
	}
}
