import { yieldToEventLoop } from './event-loop';

/** Turns of the event loop until a request has a connection and is written. */
const TURNS_OF_A_REQUEST = 3;

/** Generous estimate of an item's CPU time in n8n's single thread, in milliseconds. */
const ITEM_MS = 2;

/** Weight of one answer in the moving average. */
const WEIGHT = 0.1;

/**
 * Spreads out the CPU work of a run's items while the service is slower than n8n's single thread. Without it, one item's work
 * delays the sockets of the others; requests leave in a burst, are answered in a burst, and block each other again.
 */
export class Pacer {
	#answerMs: number | undefined;

	#step: Promise<void> | undefined;

	readonly #inFlight: () => number;

	/** @param inFlight most requests in flight, at the moment */
	constructor(inFlight: () => number) {
		this.#inFlight = inFlight;
	}

	/** Notes how long the service took to answer, in milliseconds. */
	noteLatency(milliseconds: number): void {
		this.#answerMs ??= milliseconds;
		this.#answerMs += WEIGHT * (milliseconds - this.#answerMs);
	}

	/** Whether answers arrive as fast as n8n can handle them: then its thread is always busy, and waiting only adds time. */
	get #isFast(): boolean {
		return this.#answerMs !== undefined && this.#answerMs < ITEM_MS * this.#inFlight();
	}

	/** Waits until the work that was started last, of any item, has reached the network. */
	async yield(): Promise<void> {
		if (this.#isFast) return;
		while (this.#step !== undefined) await this.#step;
		this.#step = yieldToEventLoop(TURNS_OF_A_REQUEST).then(() => {
			this.#step = undefined;
		});
	}
}
