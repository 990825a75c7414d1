import type { Head } from '../rpc/endpoint.mts';
import { blocksWithRows, readCursors, type Cursors } from '../store/cursors.mts';
import { commitFinal } from '../store/readings.mts';
import { watchedWallets, type Correction } from '../store/transfers.mts';
import { agree, agreedBlock, agreedRows, TooFewList, type Agreement } from './agreement.mts';
import type { IndexPorts } from './ports.mts';
import type { TransferReader } from './reader.mts';
import { Wait } from './wait.mts';

/**
 * Reads blocks that no reorganisation changes any more. Their transfers become those about which the endpoints agree: what
 * earlier readings missed is added, what one endpoint invented removed.
 */
export class FinalPass {
	readonly #ports: IndexPorts;
	readonly #reader: TransferReader;
	/** For the endpoints to agree; until then no further block is final. */
	readonly wait: Wait;

	constructor(ports: IndexPorts, reader: TransferReader) {
		this.#ports = ports;
		this.#reader = reader;
		this.wait = new Wait(ports.log);
	}

	/** Reads up to one range. @returns whether there is more to read @throws ChainUnavailable if no endpoint answers */
	async read(newest: Head): Promise<boolean> {
		const { db, endpoints } = this.#ports;
		const { cursors } = await readCursors(db);
		if (!cursors) return true;
		const target = await this.#target(newest, cursors);
		if (target <= cursors.final.block) return false;
		// Loaded after the last block: a wallet that is added later can only be in later ones.
		const wallets = new Map((await watchedWallets(db)).map(({ id, address }) => [address, id]));
		const first = cursors.final.block + 1;
		const most = this.#reader.sizeFor(endpoints.clients().slice(0, endpoints.quorum));
		try {
			const agreement = await agree(endpoints, this.#reader, {
				range: { from: first, to: Math.min(target, first + most - 1) },
				wallets: [...wallets.keys()],
				anchor: cursors.final,
			});
			const [disputed] = agreement.disputed;
			const last = disputed === undefined ? agreement.to : disputed - 1;
			const isDone = last >= first && (await this.#commit(cursors, agreement, last, wallets));
			if (isDone && disputed === undefined) this.wait.end();
			else this.wait.at(disputed ?? last, true);
			return isDone;
		} catch (error) {
			if (!(error instanceof TooFewList)) throw error;
			this.wait.at(first, false, error.cause);
			return false;
		}
	}

	/** @returns whether the endpoints agree about the last block */
	async #commit(
		from: Cursors,
		agreement: Agreement,
		last: number,
		wallets: ReadonlyMap<string, number>,
	): Promise<boolean> {
		const { db, endpoints } = this.#ports;
		const block = await agreedBlock(agreement.clients, last, endpoints.quorum);
		if (!block) return false;
		const final = { block: block.number, hash: block.hash };
		const rows = await agreedRows(endpoints, agreement, wallets, (block) => block <= last);
		const isBeyond = from.head.block > last;
		const to = { final, head: isBeyond ? from.head : final };
		this.#report(await commitFinal(db, { from, to }, rows), from.final.block + 1, last);
		return true;
	}

	#report(correction: Correction | undefined, first: number, last: number): void {
		if (!correction || correction.removed === 0) return;
		const cause = new Error(`${correction.removed} removed, ${correction.added} added`);
		this.#ports.log(`Transfers in the blocks ${first} to ${last} were listed wrongly`, cause);
	}

	/**
	 * The last block to read as final. Several are read together, because most endpoints charge by the request, but not while
	 * one has transfers that only one endpoint has listed.
	 */
	async #target({ block: newest }: Head, { final }: Cursors): Promise<number> {
		const { db, endpoints, depth } = this.#ports;
		const deep = newest - depth;
		const isWaiting = (await blocksWithRows(db, final.block + 1, deep)).length > 0;
		if (isWaiting && endpoints.sharedHead < BigInt(newest)) await endpoints.poll();
		const isDue = isWaiting || depth === 0 || deep - final.block > depth / 4;
		return isDue ? Math.max(0, Number(await endpoints.finalBlock(depth))) : 0;
	}
}
