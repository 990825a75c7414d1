import { blockIn, type Block } from './blocks.mts';
import type { Params } from './client.mts';
import { RequestRefused } from './failures.mts';

/** Asks one endpoint after the other for a block. */
interface Seeking {
	seek(read: typeof blockIn, method: string, params: Params): Promise<Block | undefined>;
}

/** The block that the chain itself calls final. */
export class FinalTag {
	/** The last one; undefined if the chain has never answered the tag. */
	#last: bigint | undefined;

	/**
	 * @returns undefined if the chain does not know the tag; without an answer the last one, which still holds
	 * @throws ChainUnavailable if no endpoint answers, and none ever has
	 */
	async read(endpoints: Seeking): Promise<bigint | undefined> {
		try {
			const params = ['finalized', false];
			const block = await endpoints.seek(blockIn, 'eth_getBlockByNumber', params);
			if (block) this.#last = BigInt(block.number);
		} catch (error) {
			if (!(error instanceof RequestRefused) && this.#last === undefined) throw error;
		}
		return this.#last;
	}
}
