import type { Block } from '../rpc/blocks.mts';
import type { RpcClient } from '../rpc/client.mts';
import { EndpointFailure } from '../rpc/failures.mts';
import type { PlacedLog } from '../rpc/logs.mts';
import { NotThere, readBlock, readLogs, type Range } from './logs.mts';
import { RangeSizes } from './range-sizes.mts';
import { logsOfBlock } from './receipts.mts';

/** What is to be read from one endpoint. */
export interface Wanted {
	range: Range;
	/** Addresses of the wallets, checksummed. */
	wallets: readonly string[];
	/** A block that was read before; the endpoint must still have it. */
	anchor?: { block: number; hash: string };
	/** Further blocks that are read. */
	compared?: readonly number[];
}

/** What an endpoint lists of a range. */
export interface Listing {
	client: RpcClient;
	logs: PlacedLog[];
	/** The last block. */
	end: Block;
	/** The anchor. */
	anchor: Block | undefined;
	/** The blocks with logs, the compared ones and the last, by number. */
	blocks: Map<number, Block>;
}

/** An endpoint has another block in the place of one that was read before. */
export class Contradiction extends NotThere {}

/** An endpoint has a block, but does not list its logs in any way. */
export class LogsRefused extends EndpointFailure {}

/** Time after which a reading is not divided further, in milliseconds: a request may have lasted as long as it may. */
const MOST_MS = 20_000;

/** Number of requests for logs that a reading takes, and of blocks at least. */
const PARTS = 4;
const LEAST_BLOCKS = 20;

/** Number of blocks that are read from receipts after the logs of one were refused, before logs are requested again. */
const BY_RECEIPTS = 50;

/** Reads logs from an endpoint, in ranges of as many blocks as it takes. */
export class TransferReader {
	readonly #sizes = new RangeSizes();
	/** Number of next blocks that are read from receipts. */
	readonly #byReceipts = new WeakMap<RpcClient, number>();

	/** Number of blocks for one reading. */
	sizeFor(clients: readonly RpcClient[]): number {
		const least = Math.min(...clients.map((client) => this.#sizes.of(client)));
		return Math.max(LEAST_BLOCKS, PARTS * least);
	}

	/**
	 * Lists a range.
	 *
	 * @throws NotThere if the endpoint lacks one of the blocks @throws Contradiction @throws LogsRefused
	 * @throws EndpointFailure if it does not answer
	 */
	async list(client: RpcClient, wanted: Wanted): Promise<Listing> {
		const { range, wallets, anchor, compared = [] } = wanted;
		const deadline = performance.now() + MOST_MS;
		const base = anchor && (await this.#anchorOf(client, anchor));
		const logs: PlacedLog[] = [];
		const blocks = new Map<number, Block>();
		for (let from = range.from; from <= range.to; ) {
			const to = Math.min(range.to, from + this.#sizes.of(client) - 1);
			const part = await this.#part(client, { from, to }, wallets, performance.now() > deadline);
			if (!part) continue;
			logs.push(...part.logs);
			blocks.set(to, part.end);
			from = to + 1;
		}
		const end = blocks.get(range.to) ?? (await readBlock(client, range.to));
		const numbers = new Set([...compared, ...logs.map(({ blockNumber }) => blockNumber)]);
		const missing = [...numbers].filter((number) => !blocks.has(number));
		const read = await Promise.all(missing.map((number) => readBlock(client, number)));
		for (const block of read) blocks.set(block.number, block);
		for (const { blockNumber, blockHash } of logs) {
			if (blocks.get(blockNumber)?.hash !== blockHash) {
				throw new NotThere(`Block ${blockNumber} changed while ${client.name} listed it`);
			}
		}
		return { client, logs, end, anchor: base, blocks };
	}

	/** All logs of a block, from its receipts. @throws EndpointFailure */
	async listBlock(client: RpcClient, number: number): Promise<{ block: Block; logs: PlacedLog[] }> {
		const block = await readBlock(client, number);
		return { block, logs: await logsOfBlock(client, block) };
	}

	async #anchorOf(client: RpcClient, { block, hash }: { block: number; hash: string }) {
		const found = await readBlock(client, block);
		if (found.hash === hash) return found;
		throw new Contradiction(`${client.name} has another block ${block} than was read before`);
	}

	/** One request for logs. @returns undefined if the range was too large */
	async #part(
		client: RpcClient,
		range: Range,
		wallets: readonly string[],
		isLate: boolean,
	): Promise<{ logs: PlacedLog[]; end: Block } | undefined> {
		const blocks = range.to - range.from + 1;
		const left = this.#byReceipts.get(client) ?? 0;
		if (blocks === 1 && left > 0) {
			this.#byReceipts.set(client, left - 1);
			const end = await readBlock(client, range.to);
			return { logs: await this.#receiptsOf(client, end), end };
		}
		try {
			// Together: endpoints are of several machines, and one without the last block lists nothing of it.
			const [end, logs] = await Promise.all([
				readBlock(client, range.to),
				readLogs(client, range, wallets),
			]);
			this.#sizes.succeeded(client, blocks);
			return { logs, end };
		} catch (error) {
			if (!(error instanceof EndpointFailure) || error instanceof NotThere) throw error;
			// An endpoint that does not answer this either is none that takes fewer blocks.
			const end = await readBlock(client, range.to);
			this.#sizes.failed(client, blocks);
			if (blocks === 1) {
				this.#byReceipts.set(client, BY_RECEIPTS);
				return { logs: await this.#receiptsOf(client, end), end };
			}
			if (isLate) throw error;
			return undefined;
		}
	}

	async #receiptsOf(client: RpcClient, block: Block): Promise<PlacedLog[]> {
		try {
			return await logsOfBlock(client, block);
		} catch (cause) {
			if (!(cause instanceof EndpointFailure)) throw cause;
			const message = `${client.name} does not list the logs of block ${block.number}`;
			throw new LogsRefused(message, { cause });
		}
	}
}
