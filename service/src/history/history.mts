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

/** Transfers of the wallet are still being read, so that a list would lack some. */
export class HistoryNotRead extends Error {}

/** The transfers of the wallets, from the database. */
export class History {
	readonly #db: Database;
	readonly #index: Pick<HistoryIndex, 'round' | 'ageMs'>;
	readonly #log: (problem: string, error: unknown) => void;
	readonly #stop = new AbortController();
	#running: Promise<void> = Promise.resolve();
	/** A reading that has not begun. */
	#next: Promise<void> | undefined;

	constructor(
		db: Database,
		index: Pick<HistoryIndex, 'round' | 'ageMs'>,
		log: (problem: string, error: unknown) => void,
	) {
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
	 * @throws HistoryNotRead if new blocks could not be read for a minute, or older ones are still being read and fewer
	 * transfers than requested are known
	 */
	async page(walletId: number, { limit = PAGE, before }: PageRequest): Promise<Page> {
		const read = async () => {
			// In this order: transfers are committed with the mark.
			if (this.#index.ageMs > MAX_AGE_MS) return undefined;
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
		throw new HistoryNotRead('The history of the wallet is still being read; try again later');
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
