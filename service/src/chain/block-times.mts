import type { Provider } from 'ethers';
import { Remembered } from './remembered.mts';

/** Maximum number of remembered times; a history seldom reaches back further. */
const REMEMBERED = 10_000;

/** Reads the time of each block once. */
export class BlockTimes {
	readonly #times: Remembered<Date>;

	constructor(provider: Provider) {
		const read = async (hash: string): Promise<Date> => {
			const block = await provider.getBlock(hash);
			if (!block) throw new Error(`The chain has no block ${hash}`);
			return new Date(block.timestamp * 1000);
		};
		this.#times = new Remembered(read, { count: REMEMBERED, ms: Infinity });
	}

	/**
	 * Time of a mined block.
	 *
	 * @param blockHash not the number, which may refer to a different block after a reorganisation
	 */
	async at(blockHash: string): Promise<Date> {
		return await this.#times.get(blockHash);
	}
}
