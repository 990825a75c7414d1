import type { Provider } from 'ethers';

/** Maximum number of remembered times; a history seldom reaches back further. */
const REMEMBERED = 10_000;

/** Reads the time of each block once. */
export class BlockTimes {
	readonly #provider: Provider;
	readonly #times = new Map<string, Promise<Date>>();

	constructor(provider: Provider) {
		this.#provider = provider;
	}

	/**
	 * Time of a mined block.
	 *
	 * @param blockHash not the number, which may refer to a different block after a reorganisation
	 */
	at(blockHash: string): Promise<Date> {
		const known = this.#times.get(blockHash);
		if (known) return known;
		const oldest = this.#times.keys().next();
		if (this.#times.size >= REMEMBERED && !oldest.done) this.#times.delete(oldest.value);
		const read = this.#read(blockHash);
		this.#times.set(blockHash, read);
		read.catch(() => this.#times.delete(blockHash));
		return read;
	}

	async #read(blockHash: string): Promise<Date> {
		const block = await this.#provider.getBlock(blockHash);
		if (!block) throw new Error(`The chain has no block ${blockHash}`);
		return new Date(block.timestamp * 1000);
	}
}
