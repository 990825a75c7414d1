/** What a chain was at each moment: which transaction used a nonce, read from whole blocks. */
import type { JsonRpcProvider } from 'ethers';
import { LAG } from './wild-chain.mts';

/** A transaction in a block. */
export interface Included {
	hash: string;
	to: string;
	input: string;
	blockNumber: number;
	/** 1 if it succeeded, 0 if it reverted. */
	status: number;
	hasUsedAllGas: boolean;
}

/** A time in which a nonce was used by a transaction, or by none; in milliseconds since 1970. */
export interface Period {
	since: number;
	until: number;
	used?: Included;
}

interface RawBlock {
	number: string;
	hash: string;
	parentHash: string;
	transactions: {
		hash: string;
		from: string;
		nonce: string;
		to: string | null;
		input: string;
		gas: string;
	}[];
}

interface RawReceipt {
	transactionHash: string;
	status: string;
	gasUsed: string;
}

const slotOf = (from: string, nonce: number): string => `${from.toLowerCase()} ${nonce}`;

export class Chronicle {
	readonly #provider: JsonRpcProvider;
	readonly #periods = new Map<string, Period[]>();
	/** The blocks of the chain, the newest last. */
	readonly #blocks: { hash: string; slots: string[]; since: number }[] = [];
	/** The heads that the chain has had: when each came, and since when there is the block up to which an endpoint lags behind. */
	readonly #heads: { begun: number; at: number; lagging: number }[] = [];
	/** When the change began that is under way. */
	#since: number | undefined;

	constructor(provider: JsonRpcProvider) {
		this.#provider = provider;
	}

	/** Makes a change of the chain, and records what it did; both states hold while it is under way. */
	async during(change: () => Promise<void>): Promise<void> {
		const isPart = this.#since !== undefined;
		this.#since ??= Date.now();
		await change();
		await this.#read(this.#since);
		const lagging = this.#blocks.at(-1 - LAG)?.since ?? -Infinity;
		this.#heads.push({ begun: this.#since, at: Date.now(), lagging });
		if (!isPart) this.#since = undefined;
	}

	/** Since when there was what an endpoint that lags behind has shown in a time. While blocks are undone, it shows less. */
	shownBehind(since: number, until: number): number {
		const first = this.#heads.findLastIndex(({ at }) => at < since);
		const shown = this.#heads.slice(Math.max(0, first)).filter(({ begun }) => begun <= until);
		return first < 0 ? -Infinity : Math.min(...shown.map(({ lagging }) => lagging));
	}

	/** The periods of a nonce that touch a time, the oldest first. */
	periods(from: string, nonce: number, since: number, until: number): Period[] {
		return this.#of(slotOf(from, nonce)).filter(
			(period) => period.until >= since && period.since <= until,
		);
	}

	#of(slot: string): Period[] {
		const periods = this.#periods.get(slot) ?? [{ since: -Infinity, until: Infinity }];
		this.#periods.set(slot, periods);
		return periods;
	}

	#begin(slot: string, since: number, used?: Included): void {
		const periods = this.#of(slot);
		const last = periods.at(-1);
		if (last) last.until = Date.now();
		periods.push({ since, until: Infinity, ...(used && { used }) });
	}

	async #block(which: string): Promise<RawBlock> {
		return await this.#provider.send('eth_getBlockByNumber', [which, true]);
	}

	async #read(since: number): Promise<void> {
		const added: RawBlock[] = [];
		let block = await this.#block('latest');
		while (this.#blocks[Number(block.number)]?.hash !== block.hash) {
			added.push(block);
			if (Number(block.number) === 0) break;
			block = await this.#block(`0x${(Number(block.number) - 1).toString(16)}`);
		}
		const kept = Number(added.at(-1)?.number ?? Number(block.number) + 1);
		const undone = this.#blocks.splice(kept).flatMap(({ slots }) => slots);
		const used = new Map<string, Included>();
		for (const one of added.reverse()) {
			const inBlock = await this.#includedIn(one);
			this.#blocks.push({ hash: one.hash, slots: [...inBlock.keys()], since });
			for (const [slot, included] of inBlock) used.set(slot, included);
		}
		for (const slot of new Set([...undone, ...used.keys()]))
			this.#begin(slot, since, used.get(slot));
	}

	async #includedIn({ number, transactions }: RawBlock): Promise<Map<string, Included>> {
		if (transactions.length === 0) return new Map();
		const answer: RawReceipt[] = await this.#provider.send('eth_getBlockReceipts', [number]);
		const receipts = new Map(answer.map((receipt) => [receipt.transactionHash, receipt]));
		return new Map(
			transactions.map(({ hash, from, nonce, to, input, gas }) => {
				const receipt = receipts.get(hash);
				const included = {
					hash,
					input,
					to: String(to),
					blockNumber: Number(number),
					status: Number(receipt?.status),
					hasUsedAllGas: Number(receipt?.gasUsed) === Number(gas),
				};
				return [slotOf(from, Number(nonce)), included];
			}),
		);
	}
}
