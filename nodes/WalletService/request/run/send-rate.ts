import { CubicLimit } from './cubic-limit';

const SECOND_MS = 1000;

/**
 * How many requests may be sent per second, once the service has shown that it counts them. Until then there is no limit.
 *
 * @example new SendRate().takeTurn(0) // 0
 */
export class SendRate {
	/** Sends little less than what was refused: a service that counts lets everything below its limit through. */
	readonly #perSecond = new CubicLimit({ share: 0.95, growth: 0.0002 });

	/** When the next request may leave. */
	#nextAt = 0;

	/** The second in which the last answer came, and the answers in it. */
	#second = 0;

	#answers = 0;

	/** Most answers in one second, since the rate was lowered. */
	#mostAnswers = 0;

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
		this.#answers += 1;
		this.#mostAnswers = Math.max(this.#mostAnswers, this.#answers);
	}

	/** Sends more slowly from now on, because the service refused a request. */
	lower(now: number): void {
		const allowed = this.#perSecond.at(now);
		// Without any answer there is no measure.
		const refused = this.#mostAnswers === 0 ? allowed / 2 : Math.min(this.#mostAnswers, allowed);
		this.#perSecond.lower(refused, now);
		this.#nextAt = now;
		this.#answers = 0;
		this.#mostAnswers = 0;
	}
}
