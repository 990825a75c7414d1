import type { Provider } from 'ethers';

/** Blocks whose time is remembered; a history seldom reaches back further. */
const REMEMBERED = 10_000;

/** Reads the times of blocks, each once. */
export class BlockTimes {
	readonly #provider: Provider;
	readonly #times = new Map<number, Promise<Date>>();

	constructor(provider: Provider) {
		this.#provider = provider;
	}

	/** Time at which a mined block was made. */
	at(blockNumber: number): Promise<Date> {
		const known = this.#times.get(blockNumber);
		if (known) return known;
		const oldest = this.#times.keys().next();
		if (this.#times.size >= REMEMBERED && !oldest.done) this.#times.delete(oldest.value);
		const read = this.#read(blockNumber);
		this.#times.set(blockNumber, read);
		read.catch(() => this.#times.delete(blockNumber));
		return read;
	}

	async #read(blockNumber: number): Promise<Date> {
		const block = await this.#provider.getBlock(blockNumber);
		if (!block) throw new Error(`The chain has no block ${blockNumber}`);
		return new Date(block.timestamp * 1000);
	}
}
