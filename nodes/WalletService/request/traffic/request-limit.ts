/** Concurrent requests at the beginning of a run. */
const START = 32;

/**
 * More requests until the first fault, so that 100 items leave together, as those of n8n's HTTP Request node do: with
 * 32, they took 1.8 times as long at 200 ms latency. A service that refuses them is treated as if there had been 32.
 */
const FIRST_EXTRA = 68;

/** Maximum number of connections that n8n keeps open to one service. */
const MOST = 200;

/** Minimum of the limit: even one request at a time can be too many. Below 1, requests are sent with pauses. */
const LEAST = 0.1;

/**
 * The share of the limit that remains after a refusal. Halving it, as in TCP, reached only 0.73 of the best throughput
 * of a service that accepts 50 requests a second.
 */
const SHARE = 0.75;

/** The limit grows slowly from its lowered value to this multiple of it, because the refused value is in between. */
const SLOW_UP_TO = 1.5;

/** The time in which slow growth doubles the lowered limit. The refused limit is reached after a third of this time. */
const DOUBLING_MS = 40_000;

/** Weight of a new answer in the average answer time, as in TCP (RFC 6298). */
const WEIGHT = 1 / 8;

/** A finished request. Times in milliseconds of {@link monotonicMs}. */
export interface Exchange {
	readonly startedAt: number;
	readonly endedAt: number;
	/** Whether other requests waited for its end; otherwise, a higher limit is useless. */
	readonly isAwaited: boolean;
	/** `refused` because of too many requests, `failed` for this or another reason; `undefined` if it was answered. */
	readonly fault?: 'refused' | 'failed';
}

/**
 * The limit of requests in flight, adapted to the refusals of the service by the rules of TCP: slow start until a
 * refusal, then additive increase and multiplicative decrease (RFC 5681). Latency has no effect: a service that queues
 * requests receives as many as a fast one.
 *
 * After a refusal, requests are also sent at even intervals (`intervalMs`): for a service that accepts 50 requests a
 * second and answers each in 50 ms, 2 requests in flight are too few and 3 too many. The intervals raised the
 * throughput at such a service from 0.78 to 0.87 of that with the best fixed limit
 * (`test/unit/request/traffic/request-limit.test.mts`).
 */
export class RequestLimit {
	#limit = START;

	#extra = FIRST_EXTRA;

	/** The limit after the last refusal. */
	#lowered = Infinity;

	#loweredAt = -Infinity;

	/** When the last refusal arrived; later refusals of requests sent before it do not lower the limit again. */
	#refusedAt = -Infinity;

	/**
	 * Whether a request sent after the last refusal has been answered. If not, the service may be down, and its refusals
	 * reveal nothing about a limit.
	 */
	#hasAnswered = true;

	#notedAt = 0;

	#answerMs: number | undefined;

	readonly #fixed: number | undefined;

	/** @param fixed a limit that never changes */
	constructor(fixed?: number) {
		this.#fixed = fixed;
	}

	/** Maximum number of requests in flight, from 1 to 200. */
	get value(): number {
		return this.#fixed ?? Math.min(MOST, Math.ceil(this.#limit) + this.#extra);
	}

	/** Average time from one request to the next, in milliseconds; 0 before the first refusal. */
	get intervalMs(): number {
		return this.#lowered === Infinity ? 0 : (this.#answerMs ?? 0) / this.#limit;
	}

	/** Adapts the limit to a finished request. @returns the values until the next one finishes */
	leave(exchange: Exchange): Pick<RequestLimit, 'intervalMs' | 'value'> {
		if (this.#fixed === undefined) {
			if (exchange.fault === undefined) this.#rise(exchange);
			else if (exchange.startedAt > this.#refusedAt) this.#fall(exchange);
		}
		return { value: this.value, intervalMs: this.intervalMs };
	}

	#rise({ startedAt, endedAt, isAwaited }: Exchange): void {
		const sinceLast = endedAt - this.#notedAt;
		this.#notedAt = endedAt;
		if (startedAt > this.#loweredAt) this.#hasAnswered = true;
		const took = endedAt - startedAt;
		this.#answerMs ??= took;
		this.#answerMs += (took - this.#answerMs) * WEIGHT;
		// Below its initial value, the limit grows even if no request waits: after an outage, pausing items occupy slots.
		if (!isAwaited && this.#limit >= START) return;
		const isSlow = this.#limit >= this.#lowered && this.#limit < SLOW_UP_TO * this.#lowered;
		const growth = isSlow ? (this.#lowered * sinceLast) / DOUBLING_MS : 1;
		this.#limit = Math.min(MOST, this.#limit + growth);
	}

	#fall({ endedAt, fault }: Exchange): void {
		this.#refusedAt = endedAt;
		this.#notedAt = endedAt;
		this.#extra = 0;
		const isRefused = fault === 'refused';
		this.#limit = Math.max(isRefused ? LEAST : 1, SHARE * this.#limit);
		// The limit recovers at its initial speed after failures, and while nothing is answered, so that a few items that
		// always fail do not slow down all others.
		if (!isRefused || !this.#hasAnswered) return;
		this.#hasAnswered = false;
		this.#lowered = this.#limit;
		this.#loweredAt = endedAt;
	}
}
