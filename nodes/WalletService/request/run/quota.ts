import type { RateLimit } from '../http/rate-limit';

/**
 * The requests that a service still lets through, as it says with its answers. Nothing is known until the first answer; when
 * the time that it names is over, as many are expected to be let through as it has named at most.
 *
 * @example
 * const quota = new Quota();
 * const request = quota.take();
 * quota.note(request, { remaining: 0, resetMs: 2000 }, 1000);
 * quota.waitMs(1500) // 1500
 */
export class Quota {
	/** Requests that were allowed so far, each of which has its number. */
	#taken = 0;

	/** The newest request whose answer said what is left. */
	#newest = 0;

	/** Number of the last request that may be sent until the time is over. */
	#last = Infinity;

	#endsAt = 0;

	/** The most that was left, and the longest time, so far. */
	#mostRemaining = 0;

	#longestMs = 0;

	/** Milliseconds to wait until a request may be sent. @param now in milliseconds since 1970 */
	waitMs(now: number): number {
		if (this.#last !== Infinity && now >= this.#endsAt) {
			this.#last = this.#taken + this.#mostRemaining + 1;
			this.#endsAt = now + this.#longestMs;
		}
		return this.#taken < this.#last ? 0 : Math.max(0, this.#endsAt - now);
	}

	/** Counts a request that is allowed now. @returns its number */
	take(): number {
		this.#taken += 1;
		return this.#taken;
	}

	/** Takes into account what the answer to a request says; those that were sent after it are not in it. */
	note(request: number, { remaining, resetMs }: RateLimit, now: number): void {
		if (request < this.#newest) return;
		this.#newest = request;
		this.#mostRemaining = Math.max(this.#mostRemaining, remaining);
		this.#longestMs = Math.max(this.#longestMs, resetMs);
		this.#last = request + remaining;
		this.#endsAt = now + resetMs;
	}
}
