import { shownBy } from '../rpc/endpoint.mts';
import { ChainUnavailable, EndpointFailure } from '../rpc/failures.mts';
import { identify } from '../rpc/identity.mts';
import { blocksWithRows, keptBlocks, readCursors } from '../store/cursors.mts';
import type { Cursors, Gap, Point } from '../store/cursors.mts';
import { commitNew, takeBack } from '../store/readings.mts';
import { watchedWallets } from '../store/transfers.mts';
import { agreedBlock } from './agreement.mts';
import { lookAt, type Look } from './looks.mts';
import type { IndexPorts } from './ports.mts';
import type { TransferReader } from './reader.mts';
import { rowsInBlock } from './rows.mts';
import { timeOf } from './times.mts';

/** Blocks that are read again if a reorganisation undid final ones. */
const DEEP = 1_000;

/** Time for which no endpoint has a block that was read, until it counts as gone, in milliseconds: machines of one endpoint differ. */
const MISSING_MS = 10_000;

/** Reads new blocks from one endpoint, and follows reorganisations. What it reads is corrected once it is final. */
export class HeadPass {
	readonly #ports: IndexPorts;
	readonly #reader: TransferReader;
	#missingSince: number | undefined;
	#currentAt = -Infinity;

	constructor(ports: IndexPorts, reader: TransferReader) {
		this.#ports = ports;
		this.#reader = reader;
	}

	/** When an endpoint last had the head as its newest block, in milliseconds of the monotonic clock. */
	get currentAt(): number {
		return this.#currentAt;
	}

	/** Reads up to one range. @returns whether there is more to read @throws ChainUnavailable if no endpoint can be followed */
	async read(): Promise<boolean> {
		const { db, endpoints } = this.#ports;
		const { cursors, gaps } = await readCursors(db);
		if (!cursors) return true;
		const { final, head } = cursors;
		const kept = (await keptBlocks(db))
			.map(({ number: block, hash }) => ({ block, hash }))
			.filter(({ block }) => block > final.block && block < head.block);
		const newer = head.block > final.block ? [...kept, head] : [];
		const looks: Look[] = [];
		const failures: unknown[] = [];
		for (const client of endpoints.clients()) {
			try {
				const look = await lookAt(client, [final, ...newer]);
				await this.#assertPossible(look);
				if (look.base?.block === head.block) return await this.#extend(look, cursors, gaps);
				looks.push(look);
			} catch (error) {
				if (!(error instanceof EndpointFailure)) throw error;
				failures.push(error);
			}
		}
		this.#missingSince ??= performance.now();
		const isMissing = performance.now() - this.#missingSince >= MISSING_MS;
		if (await this.#follow(cursors, looks, isMissing)) return true;
		if (looks.length > 0 && !isMissing) return false;
		const message = `No endpoint has the block ${head.block}, up to which the history is read`;
		throw new ChainUnavailable(message, { cause: failures[0] });
	}

	/** A number far above what the other endpoints show is no newest block. @throws EndpointFailure */
	async #assertPossible({ client, latest }: Look): Promise<void> {
		const { endpoints } = this.#ports;
		const isPossible = () => BigInt(latest.number) <= endpoints.bound;
		if (isPossible()) return;
		await endpoints.poll();
		if (!isPossible()) {
			throw new EndpointFailure(`${client.name} reports a block ${latest.number} far above others`);
		}
	}

	/** Reads what an endpoint has beyond the head; for wallets that join, all that is not final. */
	async #extend({ client, latest }: Look, from: Cursors, gaps: readonly Gap[]): Promise<boolean> {
		const { db, endpoints } = this.#ports;
		this.#missingSince = undefined;
		// Loaded after the newest block: a wallet that is added later can only be in later ones.
		const wallets = await watchedWallets(db);
		const joined = new Set(gaps.map(({ walletId }) => walletId));
		const joining = wallets.filter(({ id }) => !joined.has(id));
		const base = joining.length > 0 ? from.final : from.head;
		const until = Math.max(0, this.#ports.firstBlock(from.final.block));
		const block = from.final.block + 1;
		const added = joining.map(({ id }) => ({ walletId: id, block, until: Math.min(block, until) }));
		if (latest.number === base.block) {
			if (added.length > 0) {
				return await commitNew(db, { from, to: from, blocks: [], rows: [], joining: added });
			}
			this.#currentAt = performance.now();
			return false;
		}
		// A number alone may be wrong, or another machine of the endpoint has the block.
		const newest = (await shownBy(client, BigInt(latest.number))).block;
		if (newest <= base.block) return false;
		const first = base.block + 1;
		const to = Math.min(newest, base.block + this.#reader.sizeFor([client]));
		const ids = new Map(wallets.map(({ id, address }) => [address, id]));
		const { logs, end, blocks, anchor } = await this.#reader.list(client, {
			range: { from: first, to },
			wallets: [...ids.keys()],
			anchor: base,
			compared: await blocksWithRows(db, first, to),
		});
		const rows = [...Map.groupBy(logs, ({ blockNumber }) => blockNumber)].map(
			async ([number, own]) => {
				const found = blocks.get(number) ?? end;
				const time = await timeOf(endpoints, found, anchor?.time);
				return await rowsInBlock(endpoints, { block: found, logs: own, time }, ids);
			},
		);
		await commitNew(db, {
			from,
			to: { final: from.final, head: { block: to, hash: end.hash } },
			blocks: [...blocks.values()],
			rows: (await Promise.all(rows)).flat(),
			joining: added,
		});
		return true;
	}

	/**
	 * Takes the cursors back to what the endpoints have, if none has the head.
	 *
	 * @param isMissing whether that has lasted for a while
	 * @returns whether it did
	 */
	async #follow(from: Cursors, looks: readonly Look[], isMissing: boolean): Promise<boolean> {
		const { db, endpoints } = this.#ports;
		const { final } = from;
		const onChain = looks.flatMap((look) => (look.base ? { ...look, base: look.base } : []));
		const other = onChain.find(({ hasOther }) => hasOther);
		if (other) {
			const to = { final, head: other.base };
			return await takeBack(db, { from, to }, other.latest.number);
		}
		const undone = await this.#withoutFinal(looks);
		const newest = Math.max(...looks.map(({ latest }) => latest.number));
		if (undone.length >= endpoints.quorum) return await this.#undoFinal(from, undone, newest);
		const lacking = looks.filter(({ hasOther }) => !hasOther);
		if (!isMissing || lacking.length < endpoints.quorum) return false;
		const [best] = onChain.toSorted((a, b) => b.base.block - a.base.block);
		if (best) return await takeBack(db, { from, to: { final, head: best.base } }, newest);
		return await this.#undoFinal(from, lacking, newest);
	}

	/** The endpoints of the chain that have another block in the place of the final one, if they agree about it. */
	async #withoutFinal(looks: readonly Look[]): Promise<Look[]> {
		const { genesis, chainId } = this.#ports.endpoints.identity;
		const others: Look[] = [];
		for (const look of looks) {
			if (look.base || !look.hasOther) continue;
			// Connected to another chain a moment ago, an endpoint says nothing about this one.
			const own = await identify(look.client).catch(() => undefined);
			if (own?.genesis === genesis && own.chainId === chainId) others.push(look);
		}
		return others;
	}

	/** Has final blocks read again that the endpoints do not have any more. What is listed remains until then. */
	async #undoFinal(from: Cursors, looks: readonly Look[], newest: number): Promise<boolean> {
		const { db, endpoints, log } = this.#ports;
		const { final } = from;
		const clients = looks.map(({ client }) => client);
		const lowest = Math.min(final.block, ...looks.map(({ latest }) => latest.number));
		const block = await agreedBlock(clients, Math.max(0, lowest - DEEP), endpoints.quorum);
		if (!block) return false;
		const point: Point = { block: block.number, hash: block.hash };
		const reason = `the endpoints do not have the final block ${final.block} (${final.hash})`;
		if (!(await takeBack(db, { from, to: { final: point, head: point } }, newest, reason))) {
			return true;
		}
		this.#currentAt = -Infinity;
		const cause = new Error('Older blocks may be undone, too: see "history rebuild"');
		log(`The history is read again from block ${point.block + 1}: ${reason}`, cause);
		return true;
	}
}
