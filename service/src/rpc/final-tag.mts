import { blockIn, type Block } from './blocks.mts';
import type { Params } from './client.mts';
import type { Endpoint } from './endpoint.mts';
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
	/** The last one that each endpoint called so: that it does not answer for a moment leaves the word to no other. */
	readonly #last = new Map<Endpoint, number>();

	/**
	 * The newest that as many endpoints call final as must agree, of those that have ever known one: none of them decides it
	 * alone. Without an answer, the last one of an endpoint still holds.
	 *
	 * @returns undefined if the chain does not know the tag
	 * @throws ChainUnavailable if no endpoint answers, and none ever has
	 */
	async read(endpoints: Asked): Promise<bigint | undefined> {
		try {
			const params = ['finalized', false];
			const outcomes = await endpoints.outcomes(blockIn, 'eth_getBlockByNumber', params);
			for (const { endpoint, ...one } of outcomes) {
				if (!one.refusal && one.answer) this.#last.set(endpoint, one.answer.number);
			}
		} catch (error) {
			if (!(error instanceof RequestRefused) && this.#last.size === 0) throw error;
		}
		const newestFirst = [...this.#last.values()].sort((a, b) => b - a);
		const shared = newestFirst[Math.min(endpoints.quorum, newestFirst.length) - 1];
		return shared === undefined ? undefined : BigInt(shared);
	}
}
