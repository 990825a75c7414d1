import type { LimitFunction } from 'p-limit';
import pLimit from 'p-limit';

import { monotonicMs } from '../../values/clock';
import { settle } from '../../values/settle';
import { yieldToEventLoop } from '../../values/turns';
import type { FailureCode } from '../failure/failure-code';
import { TOO_MANY_REQUESTS } from '../failure/http-status';
import { ServiceError } from '../failure/service-error';
import { pause, pollIsOver, untilDone } from '../http/deadline';
import type { Exchange } from './request-limit';
import { RequestLimit } from './request-limit';

/** Items in progress per allowed request: while requests are pending, the parameters of the next items are read. */
const READ_AHEAD_FACTOR = 2;

/** Maximum delay of a request, in milliseconds, that the next request makes up for. */
const LATE_MS = 20;
/** Failures that too many requests can cause: no answer, or an overload (RFC 9110, section 15.6.4). */
const OVERLOADED = 503;
const NO_ANSWER: ReadonlySet<FailureCode> = new Set(['unreachable', 'connection-lost', 'timeout']);

/** Turns of the event loop until a request has a connection and is written. */
const TURNS_OF_A_REQUEST = 3;
/** Steps in a row: repeating the same work takes less CPU time than alternating. */
const STEPS_AT_ONCE = 10;

/**
 * Spreads out the CPU work of a run's items. Without it, one item's work delays the sockets of the others, so requests
 * are sent and answered in bursts, and block each other again.
 */
export class Pacer {
	#steps = 0;

	#turn: Promise<void> = Promise.resolve();

	/** Waits until the earlier work of all items has reached the network; first come, first served. */
	async yield(): Promise<void> {
		const turn = this.#turn;
		this.#steps += 1;
		if (this.#steps % STEPS_AT_ONCE === 0)
			this.#turn = turn.then(async () => await yieldToEventLoop(TURNS_OF_A_REQUEST));
		await turn;
	}
}

export interface ThrottleRules {
	/** Whether one item is processed at a time, because each may move money. */
	readonly isSequential: boolean;
	/** Maximum number of requests in flight; by default, the limit adapts to the refusals of the service. */
	readonly concurrency: number | undefined;
	/** Whether the first request is sent alone, so that only one request fails if the sign-in has expired. */
	readonly probesFirst: boolean;
	/** Deadline for the last answer, in milliseconds of {@link monotonicMs}. */
	readonly endsAt: number;
}

/** Decides when each item and request of a run may continue. */
export class Throttle {
	readonly #limit: RequestLimit;

	readonly #readAhead: number;

	readonly #endsAt: number;

	readonly #items: LimitFunction;

	readonly #requests: LimitFunction;

	/** Lets requests through one by one, in order, each when its interval and any delay have passed. */
	readonly #turns = pLimit(1);

	readonly #pacer = new Pacer();

	#heldUntil = -Infinity;

	#nextAt = -Infinity;

	#intervalMs = 0;

	constructor({ isSequential, concurrency, probesFirst, endsAt }: ThrottleRules) {
		this.#limit = new RequestLimit(isSequential ? 1 : concurrency);
		this.#readAhead = isSequential ? 1 : READ_AHEAD_FACTOR;
		this.#endsAt = endsAt;
		const { value } = this.#limit;
		this.#items = pLimit(this.#readAhead * value);
		this.#requests = pLimit(probesFirst ? 1 : value);
	}

	/** Processes an item as soon as few enough others are in progress. First come, first served. */
	async item<T>(cancel: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
		return await this.#items(async () => {
			await untilDone(this.#pacer.yield(), cancel);
			return await work();
		});
	}

	/**
	 * Makes one attempt of a request as soon as it may be sent. First come, first served.
	 *
	 * @throws ServiceError if the time limit of a poll expires first; any error of the attempt.
	 */
	async run<T>(cancel: AbortSignal | undefined, attempt: () => Promise<T>): Promise<T> {
		return await this.#requests(async () => {
			await untilDone(this.#pacer.yield(), cancel);
			await this.#turns(async () => await this.#untilTurn(cancel));
			const startedAt = monotonicMs();
			const result = await settle(attempt());
			const { value, intervalMs } = this.#limit.leave({
				startedAt,
				endedAt: monotonicMs(),
				isAwaited: this.#requests.pendingCount > 0,
				fault: faultOf(result),
			});
			this.#intervalMs = intervalMs;
			this.#requests.concurrency = value;
			this.#items.concurrency = this.#readAhead * value;
			if (result.status === 'rejected') throw result.reason;
			return result.value;
		});
	}

	/** Delays all further requests by a number of milliseconds. */
	hold(milliseconds: number): void {
		this.#heldUntil = Math.max(this.#heldUntil, monotonicMs() + milliseconds);
	}

	async #untilTurn(cancel: AbortSignal | undefined): Promise<void> {
		while (cancel?.aborted !== true) {
			const at = Math.max(this.#heldUntil, this.#nextAt);
			const left = at - monotonicMs();
			if (left <= 0) break;
			if (at >= this.#endsAt) throw pollIsOver();
			// The delay may be extended during the pause.
			await pause(left, cancel);
		}
		const last = Math.max(this.#nextAt, monotonicMs() - LATE_MS);
		this.#nextAt = last + this.#intervalMs;
	}
}

/** Classifies a failure that suggests too many requests; `undefined` for an answer or any other failure. */
function faultOf(result: PromiseSettledResult<unknown>): Exchange['fault'] {
	const error: unknown = result.status === 'rejected' ? result.reason : undefined;
	if (!(error instanceof ServiceError)) return undefined;
	const { code, httpStatus, retryAfterMs } = error.details;
	if (httpStatus === TOO_MANY_REQUESTS) return 'refused';
	if (httpStatus === OVERLOADED) return retryAfterMs === undefined ? 'failed' : 'refused';
	return httpStatus === undefined && NO_ANSWER.has(code) ? 'failed' : undefined;
}
