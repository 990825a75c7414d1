import { blockIn, type Block } from './blocks.mts';
import type { Params } from './client.mts';
import { RequestRefused } from './failures.mts';
import type { Outcome } from './outcomes.mts';

/** The endpoints, as far as they are asked here. */
interface Asked {
	quorum: number;
	outcomes(
		read: typeof blockIn,
		method: string,
		params: Params,
	): Promise<Outcome<Block | undefined>[]>;
}

/** The block that the chain itself calls final. */
export class FinalTag {
	/** The last one; undefined if the chain has never answered the tag. */
	#last: bigint | undefined;

	/**
	 * The newest that as many endpoints call final as must agree, of those that know one: none of them decides it alone.
	 *
	 * @returns undefined if the chain does not know the tag; without an answer the last one, which still holds
	 * @throws ChainUnavailable if no endpoint answers, and none ever has
	 */
	async read(endpoints: Asked): Promise<bigint | undefined> {
		try {
			const params = ['finalized', false];
			const outcomes = await endpoints.outcomes(blockIn, 'eth_getBlockByNumber', params);
			const numbers = outcomes.flatMap((one) => (one.refusal ? [] : (one.answer?.number ?? [])));
			const newestFirst = numbers.sort((a, b) => b - a);
			const shared = newestFirst[Math.min(endpoints.quorum, numbers.length) - 1];
			if (shared !== undefined) this.#last = BigInt(shared);
		} catch (error) {
			if (!(error instanceof RequestRefused) && this.#last === undefined) throw error;
		}
		return this.#last;
	}
}
