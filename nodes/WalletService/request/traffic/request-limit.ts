/** Concurrent requests at the beginning of a run. */
const START = 10;

/** Connections that n8n keeps open to one service. */
const MOST = 200;

/** Even one request at a time can be too many: then they leave with pauses. */
const LEAST = 0.1;

/**
 * The share of the limit that remains after a refusal. Halving it, as in TCP, used a service that takes 50 a second at
 * 0.73 of its best.
 */
const SHARE = 0.75;

/** From the lowered limit to this multiple of it, the limit grows slowly: somewhere in between it was refused. */
const SLOW_UP_TO = 1.5;

/** How long the slow growth takes to double the lowered limit: the refused limit is tried again after a third of that. */
const DOUBLING_MS = 40_000;

/** Weight of a new answer in the average answer time, as in TCP (RFC 6298). */
const WEIGHT = 1 / 8;

/** A finished request. Times in milliseconds of {@link monotonicMs}. */
export interface Exchange {
	readonly startedAt: number;
	readonly endedAt: number;
	/** Whether others waited for it to end; otherwise a higher limit is useless. */
	readonly isAwaited: boolean;
	/**
	 * `refused` because of too many requests; `failed` in a way that too many requests, or this one alone, can cause;
	 * `undefined` if it was answered.
	 */
	readonly fault?: 'refused' | 'failed';
}

/**
 * How many requests may be in flight, found from the refusals of the service, by the rules of TCP: slow start until a
 * refusal, then additive increase and multiplicative decrease (RFC 5681). Latency is not a sign: a service that queues
 * requests gets as many as a fast one.
 *
 * After a refusal, requests also leave evenly (`intervalMs`). This one part of a separate send rate was kept: against a
 * service that takes 50 requests a second and answers each in 50 ms, 2 in flight are too few and 3 too many. Without it,
 * such a service was used at 0.78 of what the best fixed number reaches; with it, at 0.87
 * (`test/unit/request/traffic/request-limit.test.mts`).
 */
export class RequestLimit {
	#limit = START;

	/** The limit to which the last refusal lowered it. */
	#lowered = Infinity;

	#loweredAt = -Infinity;

	/** Requests sent earlier belong to the same refusal. */
	#refusedAt = -Infinity;

	/**
	 * Whether a request sent since then has been answered: a service that is down refuses everything, which reveals nothing about a
	 * limit.
	 */
	#hasAnswered = true;

	#notedAt = 0;

	#answerMs: number | undefined;

	readonly #fixed: number | undefined;

	/** @param fixed a limit that never changes */
	constructor(fixed?: number) {
		this.#fixed = fixed;
	}

	/** The most requests in flight, from 1 to 200. */
	get value(): number {
		return this.#fixed ?? Math.ceil(this.#limit);
	}

	/** Milliseconds from one request to the next, on average; 0 until one was refused. */
	get intervalMs(): number {
		return this.#lowered === Infinity ? 0 : (this.#answerMs ?? 0) / this.#limit;
	}

	/** Takes a finished request into account. @returns the values until the next one finishes */
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
		// Up to the initial number even if none waits: after an outage, pausing items occupy the slots of others.
		if (!isAwaited && this.#limit >= START) return;
		const isSlow = this.#limit >= this.#lowered && this.#limit < SLOW_UP_TO * this.#lowered;
		const growth = isSlow ? (this.#lowered * sinceLast) / DOUBLING_MS : 1;
		this.#limit = Math.min(MOST, this.#limit + growth);
	}

	#fall({ endedAt, fault }: Exchange): void {
		this.#refusedAt = endedAt;
		this.#notedAt = endedAt;
		const isRefused = fault === 'refused';
		this.#limit = Math.max(isRefused ? LEAST : 1, SHARE * this.#limit);
		// The limit recovers at its initial speed while nothing is answered, and after failures, so that a few items that
		// always fail do not slow down all others.
		if (!isRefused || !this.#hasAnswered) return;
		this.#hasAnswered = false;
		this.#lowered = this.#limit;
		this.#loweredAt = endedAt;
	}
}
