import { setTimeout } from 'node:timers/promises';
import { isRead } from '../store/cursors.mts';
import type { Database, TransferRow } from '../store/tables.mts';
import { newestTransfers, type Position } from '../store/transfers.mts';
import type { HistoryIndex } from './history-index.mts';

/** Number of transfers on a page unless requested otherwise. */
const PAGE = 100;

/** Longest wait for transfers that are being read, in milliseconds. */
const PATIENCE_MS = 10_000;

/** Age of the last reading after which transfers may be missing, in milliseconds. */
const MAX_AGE_MS = 60_000;

/** Pause after the last block has been read, in milliseconds. */
const IDLE_MS = 5_000;

export interface PageRequest {
	limit?: number;
	/** Only transfers below this position. */
	before?: Position;
}

export interface Page {
	/** The newest first. */
	rows: TransferRow[];
	/** Whether there are older ones. */
	hasMore: boolean;
}

/** Transfers of the wallet are still being read, or the endpoints disagree about them, so that a list would lack some. */
export class HistoryNotRead extends Error {}

/** What the history needs of its index. */
export type ReadIndex = Pick<
	HistoryIndex,
	'round' | 'ageMs' | 'unreadMs' | 'isDisputed' | 'unconfirmed'
>;

/** How the reading of the history goes. */
export interface HistoryState {
	/** Milliseconds since all blocks that there were had been read, at most since the start. */
	unreadMs: number;
	/** A block whose transfers too few endpoints confirm. */
	unconfirmed: number | undefined;
}

/** The transfers of the wallets, from the database. */
export class History {
	readonly #db: Database;
	readonly #index: ReadIndex;
	readonly #log: (problem: string, error: unknown) => void;
	readonly #stop = new AbortController();
	#running: Promise<void> = Promise.resolve();
	/** A reading that has not begun. */
	#next: Promise<void> | undefined;

	constructor(db: Database, index: ReadIndex, log: (problem: string, error: unknown) => void) {
		this.#db = db;
		this.#index = index;
		this.#log = log;
	}

	/** Reads new blocks from now on. */
	start(): void {
		void this.#follow();
	}

	async stop(): Promise<void> {
		this.#stop.abort();
		await this.#running.catch(() => undefined);
	}

	/** Reads all blocks that there are when it is called. @throws ChainUnavailable */
	async catchUp(): Promise<void> {
		this.#next ??= this.#running
			.catch(() => undefined)
			.then(async () => {
				this.#running = this.#next ?? Promise.resolve();
				this.#next = undefined;
				while (!this.#stop.signal.aborted && (await this.#index.round()));
			});
		await this.#next;
	}

	/**
	 * The newest transfers of a wallet.
	 *
	 * @throws HistoryNotRead if new blocks could not be read for a minute, the endpoints disagree about a final one, or older
	 * ones are still being read and fewer transfers than requested are known
	 */
	async page(walletId: number, { limit = PAGE, before }: PageRequest): Promise<Page> {
		const read = async () => {
			// In this order: transfers are committed with the mark.
			if (this.#index.ageMs > MAX_AGE_MS || this.#index.isDisputed) return undefined;
			const isComplete = await isRead(this.#db, walletId);
			const rows = await newestTransfers(this.#db, walletId, limit + 1, before);
			const page = { rows: rows.slice(0, limit), hasMore: rows.length > limit };
			return isComplete || page.rows.length >= limit ? page : undefined;
		};
		const inTime = async () => {
			const late = setTimeout(PATIENCE_MS, undefined, { ref: false });
			await Promise.race([this.catchUp(), late]).catch((error: unknown) => {
				this.#log('Blocks could not be read for a history', error);
			});
			return await read();
		};
		const page = (await read()) ?? (await inTime());
		if (page) return page;
		throw new HistoryNotRead(
			this.#index.isDisputed
				? 'The endpoints of the network list different transfers; the service waits until they agree'
				: 'The history of the wallet is still being read; try again later',
		);
	}

	/** How the reading goes. */
	get state(): HistoryState {
		return { unreadMs: this.#index.unreadMs, unconfirmed: this.#index.unconfirmed };
	}

	async #follow(): Promise<void> {
		while (!this.#stop.signal.aborted) {
			await this.catchUp().catch((error: unknown) => {
				this.#log('The history will be read again', error);
			});
			await setTimeout(IDLE_MS, undefined, { signal: this.#stop.signal }).catch(() => undefined);
		}
	}
}
