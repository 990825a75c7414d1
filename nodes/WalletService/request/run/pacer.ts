import { yieldToEventLoop } from './event-loop';

/** Turns of the event loop until a request has its connection and is written. */
const TURNS_OF_A_REQUEST = 3;

/** Time that an item takes of n8n's one thread, in milliseconds, with some to spare. */
const ITEM_MS = 2;

/** How much one answer changes the mean. */
const WEIGHT = 0.1;

/**
 * Spreads out the CPU work of a run's items while the service is slower than n8n's single thread. Without it, one item's work
 * delays the sockets of the others; requests leave in a burst, are answered in a burst, and block each other again.
 */
export class Pacer {
	#answerMs: number | undefined;

	#step: Promise<void> | undefined;

	readonly #inFlight: number;

	/** @param inFlight how many requests are in flight at most */
	constructor(inFlight: number) {
		this.#inFlight = inFlight;
	}

	/** Notes how long the service took to answer. */
	noteLatency(milliseconds: number): void {
		this.#answerMs ??= milliseconds;
		this.#answerMs += WEIGHT * (milliseconds - this.#answerMs);
	}

	/** Whether answers come as fast as n8n can handle them: its thread is always busy, and waiting would only add to it. */
	get #isFast(): boolean {
		return this.#answerMs !== undefined && this.#answerMs < ITEM_MS * this.#inFlight;
	}

	/** Waits until what was begun last, for whichever item, is on its way. */
	async yield(): Promise<void> {
		if (this.#isFast) return;
		while (this.#step !== undefined) await this.#step;
		this.#step = yieldToEventLoop(TURNS_OF_A_REQUEST).then(() => {
			this.#step = undefined;
		});
	}
}
