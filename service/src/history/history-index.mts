import { EndpointFailure } from '../rpc/failures.mts';
import type { Endpoints } from '../rpc/endpoints.mts';
import type { Database } from '../store/tables.mts';
import { watchedWallets, type WatchedWallet } from '../store/transfers.mts';
import {
	beginAt,
	blocksWithRows,
	commitGaps,
	commitProgress,
	isUsedBefore,
	keptBlocks,
	readCursors,
	type Cursors,
	type Gap,
	type Point,
	type Progress,
} from '../store/cursors.mts';
import { readHeader } from './logs.mts';
import { TransferReader, Undone, type Reading } from './reader.mts';

export interface IndexPorts {
	db: Database;
	endpoints: Endpoints;
	/** Number of blocks above a block after which it is final. */
	depth: number;
	/** The first block that is read of wallets that may be older than the database. @param final the newest final block */
	firstBlock(final: number): number;
	log(problem: string, error: unknown): void;
}

/** Blocks that are read again if a reorganisation undid final ones. */
const DEEP = 1_000;

/** Maximum number of wallets whose gaps are read together. */
const WALLETS_AT_ONCE = 500;

/** Possible difference between this machine's clock and the chain's, in seconds. */
const CLOCK_TOLERANCE = 600;

/** Time of refusals of old blocks, while new ones can be read, after which no endpoint counts as having them, in milliseconds. */
const REFUSED_MS = 120_000;

const idsOf = (wallets: readonly WatchedWallet[]) =>
	new Map(wallets.map(({ id, address }) => [address, id]));

/**
 * Reads the transfers of all wallets into the database: new blocks at once, and again when they are final, and blocks before
 * a wallet joined downwards. All state is in the database, and a reading is committed with its cursors, so several processes may read.
 */
export class HistoryIndex {
	readonly #ports: IndexPorts;
	readonly #reader: TransferReader;
	#refusedSince: number | undefined;
	#currentAt = -Infinity;

	constructor(ports: IndexPorts) {
		this.#ports = ports;
		this.#reader = new TransferReader(ports.endpoints);
	}

	/** Milliseconds since all blocks that there were had been read. */
	get ageMs(): number {
		return performance.now() - this.#currentAt;
	}

	/** Reads up to one range of final blocks, of new ones, and of gaps. @returns whether there is more to read */
	async round(): Promise<boolean> {
		const { db, endpoints, depth } = this.#ports;
		const latest = await endpoints.newest();
		const known = await readCursors(db);
		if (!known.cursors) {
			const final = depth === 0 ? latest : await this.#pointAt(await this.#final());
			await beginAt(db, final);
			return true;
		}
		const { cursors, gaps } = known;
		const { head, final } = cursors;
		// Loaded after the newest block: a wallet that is added later can only be in later ones.
		const wallets = await watchedWallets(db);
		const joined = new Set(gaps.map(({ walletId }) => walletId));
		const joining = wallets.filter(({ id }) => !joined.has(id));
		try {
			if (latest.block === head.block && latest.hash !== head.hash) throw new Undone();
			const target = await this.#finalTarget(latest, cursors);
			if (target > final.block) {
				await this.#readFinal(wallets, cursors, target);
				return true;
			}
			if (joining.length > 0) {
				await this.#readHead(wallets, cursors, final, latest.block, joining);
				return true;
			}
			if (latest.block > head.block) {
				await this.#readHead(wallets, cursors, head, latest.block);
				return true;
			}
		} catch (error) {
			if (!(error instanceof Undone)) throw error;
			const base = await this.#common(cursors);
			// Only an endpoint that is asked for a second reading differs.
			if (base.block === head.block) return false;
			await this.#readHead(wallets, cursors, base, latest.block);
			return true;
		}
		this.#currentAt = performance.now();
		return await this.#readGap(wallets, gaps);
	}

	async #final(): Promise<number> {
		const { endpoints, depth } = this.#ports;
		return Math.max(0, Number(await endpoints.finalBlock(depth)));
	}

	/** The last block to read as final. Several are read together: most endpoints charge by the request. */
	async #finalTarget(latest: Point, { final }: Cursors): Promise<number> {
		const { depth } = this.#ports;
		if (depth === 0) return latest.block;
		const isDue = latest.block - depth - final.block > depth / 4;
		return isDue ? await this.#final() : 0;
	}

	async #pointAt(number: number): Promise<Point> {
		const { hash } = await readHeader(this.#ports.endpoints, number);
		return { block: number, hash };
	}

	/** The newest block that was read and is still part of the chain. */
	async #common({ final, head }: Cursors): Promise<Point> {
		const kept = (await keptBlocks(this.#ports.db)).filter(({ number }) => number <= head.block);
		const known = [...kept.map(({ number: block, hash }) => ({ block, hash })), final];
		for (const point of known) {
			if ((await this.#pointAt(point.block)).hash === point.hash) return point;
		}
		return await this.#pointAt(Math.max(0, final.block - DEEP));
	}

	async #commit(progress: Omit<Progress, 'undone' | 'joining'> & Partial<Progress>) {
		return await commitProgress(this.#ports.db, { undone: [], joining: [], ...progress });
	}

	/** Reads blocks that no reorganisation changes any more: what earlier readings missed is added, what was undone removed. */
	async #readFinal(wallets: WatchedWallet[], from: Cursors, target: number): Promise<void> {
		const { db } = this.#ports;
		const first = from.final.block + 1;
		const kept = new Map((await keptBlocks(db)).map(({ number, hash }) => [number, hash]));
		const listed = await blocksWithRows(db, first, target);
		const reading = await this.#reader.read({
			wallets: idsOf(wallets),
			range: (most) => ({ from: first, to: Math.min(target, first + most - 1) }),
			anchor: from.final,
			compared: async ({ to }) => listed.filter((block) => block <= to),
			isCompared: true,
		});
		const { rows, headers, to } = reading;
		const final = { block: to, hash: reading.end.hash };
		const undone = [...headers].flatMap(([number, { hash }]) => {
			return kept.get(number) === hash ? [] : number;
		});
		const head = from.head.block < to ? final : from.head;
		await this.#commit({ from, to: { final, head }, undone, blocks: [], rows });
	}

	/**
	 * Reads new blocks.
	 *
	 * @param base the block after which they begin; rows above of blocks that were replaced are removed
	 */
	async #readHead(
		wallets: WatchedWallet[],
		from: Cursors,
		base: Point,
		newest: number,
		joining: WatchedWallet[] = [],
	): Promise<void> {
		const final = base.block < from.final.block ? base : from.final;
		const block = final.block + 1;
		const until = Math.min(block, Math.max(0, this.#ports.firstBlock(final.block)));
		const first = base.block + 1;
		const listed = await blocksWithRows(this.#ports.db, first, newest);
		const reading =
			first > newest
				? undefined
				: await this.#reader.read({
						wallets: idsOf(wallets),
						range: (most) => ({ from: first, to: Math.min(newest, first + most - 1) }),
						anchor: base,
						compared: async ({ to }) => listed.filter((block) => block <= to),
					});
		// For wallets that join nothing is undone: what is listed of others remains while it is read again.
		const isUndone = base !== from.head && joining.length === 0;
		await this.#commit({
			from,
			to: { final, head: reading ? { block: reading.to, hash: reading.end.hash } : base },
			undoneAbove: isUndone ? base.block : undefined,
			blocks: reading ? [...reading.headers.values(), reading.end] : [],
			rows: reading?.rows ?? [],
			joining: joining.map(({ id: walletId }) => ({ walletId, block, until })),
		});
	}

	/** Reads a range before wallets joined: of those that lack the newest blocks, all that lack the same. */
	async #readGap(wallets: WatchedWallet[], all: Gap[]): Promise<boolean> {
		const { db, log } = this.#ports;
		const open = all.filter(({ block, until }) => block > until);
		const newest = open.toSorted((a, b) => b.block - a.block)[0];
		if (!newest) return false;
		const { block, until } = newest;
		const same = open.filter((one) => one.block === block && one.until === until);
		const gaps = same.slice(0, WALLETS_AT_ONCE);
		const ids = new Set(gaps.map(({ walletId }) => walletId));
		const own = wallets.filter(({ id }) => ids.has(id));
		const isSeedNew = !(await isUsedBefore(db));
		let reading: Reading | undefined;
		try {
			reading = await this.#reader.read({
				wallets: idsOf(own),
				range: (most) => ({ from: Math.max(until, block - most), to: block - 1 }),
				isCompared: true,
			});
			this.#refusedSince = undefined;
		} catch (error) {
			this.#refusedSince ??= performance.now();
			const isForGood = performance.now() - this.#refusedSince > REFUSED_MS;
			if (!isForGood || !(error instanceof EndpointFailure && error.isRefusal)) throw error;
			log(`No endpoint has the logs of block ${block - 1}; the history begins after it`, error);
		}
		const { from = until, rows = [], end } = reading ?? {};
		const read = gaps.map((gap) => {
			const wallet = own.find(({ id }) => id === gap.walletId);
			const created = wallet?.created_at ?? null;
			const isNew = isSeedNew && wallet?.source.startsWith('seed:') === true && created !== null;
			const isBefore =
				isNew && end !== undefined && end.time < Date.parse(created) / 1000 - CLOCK_TOLERANCE;
			return { gap, from: isBefore ? until : from };
		});
		await commitGaps(db, read, rows);
		return true;
	}
}
