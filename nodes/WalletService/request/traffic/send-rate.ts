import { CubicLimit } from './cubic-limit';

const SECOND_MS = 1000;

/** Answers are counted by the second of the clock, and one of them is whole in any time of this length. */
const MEASURE_MS = 2 * SECOND_MS;

/** What is sent for most of the time, as a share of what was refused: at the limit itself, each second is refused again. */
const BELOW = 0.98;

/**
 * How many requests may be sent per second, once the service has shown that it counts them. Until then there is no limit.
 *
 * @example new SendRate().takeTurn(0) // 0
 */
export class SendRate {
	/** Sends little less than what was refused: a service that counts lets everything below its limit through. */
	readonly #perSecond = new CubicLimit({ share: 0.97, growth: 0.00005 });

	/** When the next request may leave. */
	#nextAt = 0;

	/** The second in which the last answer came, and the answers in it. */
	#second = 0;

	#answers = 0;

	/** Most answers in one second, since the rate was lowered, and when the first of them came. */
	#mostAnswers = 0;

	#answersFrom = Infinity;

	/** Takes a turn. @returns milliseconds to wait for it @param now in milliseconds since 1970 */
	takeTurn(now: number): number {
		if (!this.#perSecond.isKnown) return 0;
		const at = Math.max(now, this.#nextAt);
		this.#nextAt = at + SECOND_MS / this.#perSecond.at(now);
		return at - now;
	}

	/** Whether requests wait for their turn. */
	isLimiting(now: number): boolean {
		return this.#perSecond.isKnown && this.#nextAt >= now;
	}

	/** Takes an answer into account that was no refusal. */
	noteAnswer(now: number): void {
		const second = Math.floor(now / SECOND_MS);
		if (second !== this.#second) this.#answers = 0;
		this.#second = second;
		this.#answersFrom = Math.min(this.#answersFrom, now);
		this.#answers += 1;
		this.#mostAnswers = Math.max(this.#mostAnswers, this.#answers);
	}

	/** Sends more slowly from now on, because the service refused a request. */
	lower(now: number): void {
		const refused = this.#refusedAt(now);
		this.#perSecond.lower(refused * BELOW, now);
		this.#nextAt = now;
		this.#answers = 0;
		this.#mostAnswers = 0;
		this.#answersFrom = Infinity;
	}

	/** How many per second were too many. */
	#refusedAt(now: number): number {
		const allowed = this.#perSecond.at(now);
		if (this.#mostAnswers === 0) return allowed / 2;
		const isMeasured = now - this.#answersFrom >= MEASURE_MS || allowed === Infinity;
		return isMeasured ? Math.min(this.#mostAnswers, allowed) : allowed;
	}
}
