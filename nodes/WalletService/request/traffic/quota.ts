import type { RateLimit, RateLimits, RatePolicy } from '../http/rate-limit';

/** How soon to look again when requests are left, but those under way may be the ones that take them. */
const MOMENT_MS = 20;

/**
 * The requests that a service still lets through, as it says with its answers. Nothing is known until the first answer; when
 * the time that it names is over, as many are expected to be let through as it has named at most. Of a policy no more are
 * sent than it lets through in any time of its length, from the sending of the first to the answer of the last.
 *
 * @example
 * const quota = new Quota();
 * quota.begin();
 * quota.note({ limit: { remaining: 0, resetMs: 2000 }, policies: [] }, 1000);
 * quota.end(1000);
 * quota.waitMs(1500) // 1500
 */
export class Quota {
	/** Requests that were allowed and have not ended. */
	#underWay = 0;

	/**
	 * The least that was left. Whatever was answered has been counted by then, so that only requests under way may not have
	 * been, in whatever order they arrived.
	 */
	#left = Infinity;

	#endsAt = 0;

	/** The most that was left, and the longest time, so far. */
	#mostLeft = 0;

	#longestMs = 0;

	#policies: readonly RatePolicy[] = [];

	/** When requests ended that a policy may still count, the latest last. */
	#endedAt: number[] = [];

	/** Milliseconds to wait, at least, until a request may be sent; 0 when it may. @param now in milliseconds since 1970 */
	waitMs(now: number): number {
		return Math.max(
			this.#waitForLimit(now),
			...this.#policies.map((one) => this.#waitFor(one, now)),
		);
	}

	#waitForLimit(now: number): number {
		if (this.#left !== Infinity && now >= this.#endsAt) {
			this.#left = this.#mostLeft + 1;
			this.#endsAt = now + this.#longestMs;
		}
		if (this.#underWay < this.#left) return 0;
		const untilEnd = this.#endsAt - now;
		return this.#left === 0 ? untilEnd : Math.min(MOMENT_MS, untilEnd);
	}

	#waitFor({ requests, windowMs }: RatePolicy, now: number): number {
		const free = requests - this.#underWay;
		if (free <= 0) return MOMENT_MS;
		const endedAt = this.#endedAt.at(-free);
		if (endedAt === undefined) return 0;
		// No longer than the policy says, when the clock was set back.
		return Math.min(windowMs, Math.max(0, endedAt + windowMs - now));
	}

	/** Counts a request that is allowed now. */
	begin(): void {
		this.#underWay += 1;
	}

	/** Counts that a request has ended, in whatever way. */
	end(now: number): void {
		this.#underWay -= 1;
		const most = Math.max(0, ...this.#policies.map(({ requests }) => requests));
		if (most === 0) return;
		this.#endedAt.push(now);
		if (this.#endedAt.length > 2 * most) this.#endedAt = this.#endedAt.slice(-most);
	}

	/** Takes into account what an answer says. */
	note({ limit, policies }: RateLimits, now: number): void {
		if (policies.length > 0) this.#policies = policies;
		if (limit !== undefined) this.#noteLimit(limit, now);
	}

	#noteLimit({ remaining, resetMs }: RateLimit, now: number): void {
		this.#mostLeft = Math.max(this.#mostLeft, remaining);
		this.#longestMs = Math.max(this.#longestMs, resetMs);
		if (remaining > this.#left && now < this.#endsAt) return;
		this.#left = remaining;
		this.#endsAt = now + resetMs;
	}
}
