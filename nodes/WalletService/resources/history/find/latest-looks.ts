import type { Look } from '../../../request/run/look-again';
import { settle } from '../../../values/settle';
import type { Listing, Served } from './listing';

/** What the items of a run share: the latest look at each history, and which transfers serve an item. */
export class LatestLooks {
	readonly served: Served = new Map();

	readonly #latest = new Map<string, { time: number; look: Promise<Look<Listing>> }>();

	/**
	 * A look that is due at a time, or a later one. It replaces the one before, because a history can be large; after a failure,
	 * the next item asks again.
	 */
	async at(
		history: string,
		time: number,
		ask: () => Promise<Look<Listing>>,
	): Promise<Look<Listing>> {
		const known = this.#latest.get(history);
		if (known !== undefined && known.time >= time) return await known.look;
		const own = { time, look: ask() };
		this.#latest.set(history, own);
		const result = await settle(own.look);
		const isLatest = this.#latest.get(history) === own;
		if (result.status === 'rejected' && isLatest) this.#latest.delete(history);
		return await own.look;
	}
}
