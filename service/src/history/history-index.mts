import { blockWith } from '../rpc/blocks.mts';
import { ChainUnavailable } from '../rpc/failures.mts';
import { MAX_LAG } from '../rpc/heads.mts';
import { beginAt, readCursors } from '../store/cursors.mts';
import { FinalPass } from './final-pass.mts';
import { GapPass } from './gap-pass.mts';
import { HeadPass } from './head-pass.mts';
import { hex } from './logs.mts';
import type { IndexPorts } from './ports.mts';
import { TransferReader } from './reader.mts';

/**
 * Reads the transfers of all wallets into the database: new blocks at once, and again when they are final, and blocks before
 * a wallet joined downwards. All state is in the database, and a reading is committed with its cursors, so several processes may read.
 */
export class HistoryIndex {
	readonly #ports: IndexPorts;
	readonly #final: FinalPass;
	readonly #head: HeadPass;
	readonly #gaps: GapPass;
	readonly #begunAt = performance.now();

	constructor(ports: IndexPorts) {
		const reader = new TransferReader();
		this.#ports = ports;
		this.#final = new FinalPass(ports, reader);
		this.#head = new HeadPass(ports, reader);
		this.#gaps = new GapPass(ports, reader);
	}

	/** Milliseconds since all blocks that there were had been read. */
	get ageMs(): number {
		return performance.now() - this.#head.currentAt;
	}

	/** The same, but since the start if there were none so far. */
	get unreadMs(): number {
		return performance.now() - Math.max(this.#begunAt, this.#head.currentAt);
	}

	/** Whether the endpoints disagree about the transfers in a final block, so that a list may lack some. */
	get isDisputed(): boolean {
		return this.#final.wait.isDisputed;
	}

	/** A block at which the reading waits because too few endpoints confirm its transfers. */
	get unconfirmed(): number | undefined {
		return this.#final.wait.reported ?? this.#gaps.wait.reported;
	}

	/**
	 * Reads up to one range of final blocks, of new ones, and of older ones.
	 *
	 * @returns whether there is more to read
	 * @throws ChainUnavailable if one of them could not be read, and there is no more of the others
	 */
	async round(): Promise<boolean> {
		const { db, endpoints } = this.#ports;
		if (!(await readCursors(db)).cursors) return await this.#begin();
		const newest = await endpoints.newest();
		const passes = [
			() => this.#final.read(newest),
			() => this.#head.read(),
			() => this.#gaps.read(),
		];
		let isMore = false;
		let problem: unknown;
		for (const pass of passes) {
			try {
				isMore = (await pass()) || isMore;
			} catch (error) {
				if (!(error instanceof ChainUnavailable)) throw error;
				problem ??= error;
			}
		}
		if (!isMore && problem !== undefined) throw problem;
		return isMore;
	}

	async #begin(): Promise<boolean> {
		const { db, endpoints, depth } = this.#ports;
		await endpoints.poll();
		// Below what is final without the other endpoints, there may be millions of blocks to read.
		if (endpoints.head - endpoints.sharedHead > MAX_LAG) {
			throw new ChainUnavailable(
				'Too few endpoints have the newest block: the history does not begin',
			);
		}
		const final = Math.max(0, Number(await endpoints.finalBlock(depth)));
		const readHash = (answer: unknown) => blockWith(final)(answer)?.hash;
		const params = [hex(final), false];
		const hash = await endpoints.agreed(readHash, 'eth_getBlockByNumber', params);
		if (hash === undefined) {
			throw new ChainUnavailable(`The endpoints do not have the final block ${final}`);
		}
		await beginAt(db, { block: final, hash });
		return true;
	}
}
