import { loopTurns } from './event-loop';

/** Turns of the event loop until a request has its connection and is written. */
const TURNS_OF_A_REQUEST = 3;

/** Time that an item takes of n8n's one thread, in milliseconds, with some to spare. */
const ITEM_MS = 2;

/** How much one answer changes the mean. */
const WEIGHT = 0.1;

/**
 * Keeps what is done for the items of a run apart, while the service is slow enough to leave n8n's one thread idle. What
 * is done for one item at a stretch holds up the requests of others on their way out. They then leave together, are
 * answered together, and hold each other up again: most of the time nothing would be on its way.
 */
export class Pace {
	#answerMs: number | undefined;

	#step: Promise<void> | undefined;

	readonly #inFlight: number;

	/** @param inFlight how many requests are in flight at most */
	constructor(inFlight: number) {
		this.#inFlight = inFlight;
	}

	/** Notes how long the service took to answer. */
	noteAnswer(milliseconds: number): void {
		this.#answerMs ??= milliseconds;
		this.#answerMs += WEIGHT * (milliseconds - this.#answerMs);
	}

	/** Whether answers come as fast as n8n can handle them: its thread is always busy, and waiting would only add to it. */
	get #isFast(): boolean {
		return this.#answerMs !== undefined && this.#answerMs < ITEM_MS * this.#inFlight;
	}

	/** Waits until what was begun last, for whichever item, is on its way. */
	async untilClear(): Promise<void> {
		if (this.#isFast) return;
		while (this.#step !== undefined) await this.#step;
		this.#step = loopTurns(TURNS_OF_A_REQUEST).then(() => {
			this.#step = undefined;
		});
	}
}
