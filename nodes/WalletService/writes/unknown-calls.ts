/** How long a call of unknown outcome is refused to a tool. */
export const UNKNOWN_CALL_MINUTES = 60;
/** Calls kept at most; the oldest go first. One write at a time cannot leave so many of unknown outcome in an hour. */
const MAX_CALLS = 10_000;

interface UnknownCall {
	readonly reason: string;
	readonly hashes: readonly string[];
	/** Time in milliseconds. */
	readonly until: number;
}

/**
 * Calls of tools whose outcome nobody knows, in this process. A model that got no answer asks again, as a new call, in
 * another conversation or over another client: the same transaction would go out twice.
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

	/** The call was answered after all, because somebody wanted it sent again. */
	delete(key: string): void {
		this.#calls.delete(key);
	}
}
