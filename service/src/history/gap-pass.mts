import { blockWith } from '../rpc/blocks.mts';
import { isUsedBefore, readCursors, type Gap } from '../store/cursors.mts';
import { commitGaps } from '../store/readings.mts';
import { watchedWallets, type WatchedWallet } from '../store/transfers.mts';
import { agree, agreedRows, TooFewList, type Agreement } from './agreement.mts';
import { hex, type Range } from './logs.mts';
import type { IndexPorts } from './ports.mts';
import type { TransferReader } from './reader.mts';
import { CLOCK_TOLERANCE } from './times.mts';
import { Wait } from './wait.mts';

/** Maximum number of wallets whose gaps are read together. */
const WALLETS_AT_ONCE = 500;

/** Blocks that are read together of wallets of a new seed, which have nothing before their creation. */
const OF_NEW = 100;

/** Time of refusals of old blocks, while new ones can be read, after which the endpoints count as not having them, in milliseconds. */
const REFUSED_MS = 120_000;

/** Reads the blocks before wallets joined, downwards, as far as they are to be read. */
export class GapPass {
	readonly #ports: IndexPorts;
	readonly #reader: TransferReader;
	#refusedSince: number | undefined;
	/** For the endpoints to agree. */
	readonly wait: Wait;

	constructor(ports: IndexPorts, reader: TransferReader) {
		this.#ports = ports;
		this.#reader = reader;
		this.wait = new Wait(ports.log);
	}

	/** Reads up to one range of the wallets that lack the newest blocks. @returns whether there is more to read */
	async read(): Promise<boolean> {
		const { db, endpoints, log } = this.#ports;
		const open = (await readCursors(db)).gaps.filter(({ block, until }) => block > until);
		const newest = open.toSorted((a, b) => b.block - a.block)[0];
		if (!newest) return false;
		const { block, until } = newest;
		const same = open.filter((one) => one.block === block && one.until === until);
		const gaps = same.slice(0, WALLETS_AT_ONCE);
		const ids = new Set(gaps.map(({ walletId }) => walletId));
		const wallets = (await watchedWallets(db)).filter(({ id }) => ids.has(id));
		const isSeedNew = !(await isUsedBefore(db));
		const size = this.#reader.sizeFor(endpoints.clients().slice(0, endpoints.quorum));
		const most = isSeedNew ? Math.min(size, OF_NEW) : size;
		const range = { from: Math.max(until, block - most), to: block - 1 };
		try {
			const agreement = await this.#agree(range, wallets);
			const disputed = agreement.disputed.at(-1);
			const from = disputed === undefined ? range.from : disputed + 1;
			if (disputed === undefined) this.wait.end();
			else this.wait.at(disputed, true);
			if (from > range.to) return false;
			await this.#commit(gaps, wallets, { ...agreement, from }, isSeedNew);
			return true;
		} catch (error) {
			if (!(error instanceof TooFewList)) throw error;
			this.wait.at(range.to, false, error.cause);
			if (!this.#isGone(error)) return false;
			log(
				`Too few endpoints have the logs of block ${range.to}; the history begins after it`,
				error,
			);
			const all = gaps.map((gap) => ({ gap, from: until }));
			await commitGaps(db, all, undefined);
			this.wait.end();
			return true;
		}
	}

	/** Whether the endpoints have refused the blocks for so long that they do not have them. */
	#isGone({ areRefused }: TooFewList): boolean {
		this.#refusedSince = areRefused ? (this.#refusedSince ?? performance.now()) : undefined;
		if (this.#refusedSince === undefined) return false;
		return performance.now() - this.#refusedSince > REFUSED_MS;
	}

	async #agree(range: Range, wallets: readonly WatchedWallet[]): Promise<Agreement> {
		const addresses = wallets.map(({ address }) => address);
		const wanted = { range, wallets: addresses, isDownwards: true };
		const agreement = await agree(this.#ports.endpoints, this.#reader, wanted);
		this.#refusedSince = undefined;
		return agreement;
	}

	async #commit(
		gaps: readonly Gap[],
		wallets: readonly WatchedWallet[],
		agreement: Agreement,
		isSeedNew: boolean,
	): Promise<void> {
		const { db, endpoints } = this.#ports;
		const { from, to } = agreement;
		const readTime = (answer: unknown) => blockWith(to)(answer)?.time;
		const params = [hex(to), false];
		const time = isSeedNew
			? await endpoints.agreed(readTime, 'eth_getBlockByNumber', params)
			: undefined;
		const read = gaps.map((gap) => {
			const wallet = wallets.find(({ id }) => id === gap.walletId);
			const created = wallet?.created_at ?? null;
			const isNew = wallet?.source.startsWith('seed:') === true && created !== null;
			const isBefore =
				isNew && time !== undefined && time < Date.parse(created) / 1_000 - CLOCK_TOLERANCE;
			return { gap, from: isBefore ? gap.until : from };
		});
		const ids = new Map(wallets.map(({ id, address }) => [address, id]));
		const rows = await agreedRows(endpoints, agreement, ids, (block) => block >= from);
		const stretch = { from, to, walletIds: [...ids.values()] };
		await commitGaps(db, read, { stretch, rows });
	}
}
