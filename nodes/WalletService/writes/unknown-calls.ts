/** How long a call of unknown outcome is refused to a tool. */
export const UNKNOWN_CALL_MINUTES = 60;
/**
 * Most calls kept; the oldest are dropped first. Writes that are sent one at a time cannot leave so many of unknown outcome
 * in an hour.
 */
const MAX_CALLS = 10_000;

interface UnknownCall {
	readonly reason: string;
	readonly hashes: readonly string[];
	/** In milliseconds since 1970. */
	readonly until: number;
}

/**
 * Tool calls of unknown outcome, in this process. A model that got no answer asks again, as a new call, in another
 * conversation or through another client: the same transaction would be sent twice.
 *
 * @example
 * const calls = new UnknownCalls();
 * calls.add('key', { reason: 'no answer', hashes: [] }, 0);
 * [calls.find('key', 1)?.reason, calls.find('key', UNKNOWN_CALL_MINUTES * 60_000)] // ['no answer', undefined]
 */
export class UnknownCalls {
	readonly #calls = new Map<string, UnknownCall>();

	/** @param key credential, node and canonical call */
	find(key: string, now: number = Date.now()): UnknownCall | undefined {
		const call = this.#calls.get(key);
		return call !== undefined && call.until > now ? call : undefined;
	}

	add(key: string, call: Pick<UnknownCall, 'reason' | 'hashes'>, now: number = Date.now()): void {
		const { reason, hashes } = call;
		this.#calls.delete(key);
		this.#calls.set(key, { reason, hashes, until: now + UNKNOWN_CALL_MINUTES * 60_000 });
		for (const [oldest, { until }] of this.#calls) {
			if (this.#calls.size <= MAX_CALLS && until > now) return;
			this.#calls.delete(oldest);
		}
	}

	/** Forgets a call that was answered after all, because it was sent again on request. */
	delete(key: string): void {
		this.#calls.delete(key);
	}
}
