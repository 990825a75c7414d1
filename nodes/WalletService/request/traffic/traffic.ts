import type { Exchange } from './concurrency-level';
import { ConcurrencyLevel } from './concurrency-level';
import { CubicLimit } from './cubic-limit';
import { SendRate } from './send-rate';

const SECOND_MS = 1000;

/** The service refuses a request for now (RFC 6585, section 4, and RFC 9110, section 15.6.4). */
const TOO_MANY_REQUESTS = 429;
const OVERLOADED = 503;

/** Share of the requests under way at the last refusal, up to which there are clearly fewer of them. */
const FEWER = 0.75;

/** So few requests under way are never too many: it is their rate that is refused. */
const FEW = 2;

/**
 * What the service bears, found from its answers: how many requests at the same time, and how many per second. Both are
 * without a limit of the service's own until it refuses one.
 *
 * @example new Traffic().concurrencyAt(monotonicMs()) // 10
 */
export class Traffic {
	readonly #level = new ConcurrencyLevel();

	/** Half of what was refused remains, and comes back within about 12 seconds. */
	readonly #ceiling = new CubicLimit({ share: 0.5, growth: 0.0003 });

	/** When the ceiling was lowered. */
	#loweredAt = -Infinity;

	readonly #rate = new SendRate();

	/** When the service refused a request, and how many were under way. What was sent before belongs to the same refusal. */
	#refusedAt = -Infinity;

	#refusedInFlight = Infinity;

	/** Refusals in a row, each with clearly fewer requests under way than the one before. */
	#refusedFewer = 0;

	/** Most requests at the same time. @param now in milliseconds since 1970 */
	concurrencyAt(now: number): number {
		const seconds = (now - this.#loweredAt) / SECOND_MS;
		// At least one more each second, so that one is not what remains when the service is well again.
		const ceiling = Math.max(this.#ceiling.at(now), 1 + seconds);
		return Math.floor(Math.min(this.#level.value, ceiling));
	}

	/** Takes a turn to send. @returns milliseconds to wait for it */
	takeTurn(now: number): number {
		return this.#rate.takeTurn(now);
	}

	/** Takes an answer into account. @param status its HTTP status; `undefined` when none came: too many can be the reason */
	note(exchange: Exchange, status: number | undefined): void {
		if (status === undefined || status === TOO_MANY_REQUESTS || status === OVERLOADED) {
			this.#noteRefusal(exchange, status);
			return;
		}
		this.#rate.noteAnswer(exchange.endedAt);
		this.#level.noteAnswer(exchange);
	}

	#noteRefusal({ startedAt, endedAt, inFlight }: Exchange, status: number | undefined): void {
		if (startedAt <= this.#refusedAt) return;
		this.#refusedAt = endedAt;
		const isFewer = inFlight <= FEW || inFlight <= this.#refusedInFlight * FEWER;
		this.#refusedFewer = isFewer ? this.#refusedFewer + 1 : 0;
		this.#refusedInFlight = inFlight;
		// Fewer at the same time did not help, so it is not their number.
		const isRate = this.#refusedFewer > 2 || this.#rate.isLimiting(endedAt);
		if (isRate && status === TOO_MANY_REQUESTS) {
			this.#rate.lower(endedAt);
			return;
		}
		this.#ceiling.lower(this.concurrencyAt(endedAt), endedAt);
		this.#loweredAt = endedAt;
	}
}
