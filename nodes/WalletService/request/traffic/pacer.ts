/** Turns of the event loop until a request has a connection and is written. */
const TURNS_OF_A_REQUEST = 3;

/** Steps that are taken at a stretch: the same work several times in a row costs the processor less than in between others. */
const STEPS_AT_ONCE = 10;

/** Waits for a number of turns of the event loop. */
export async function yieldToEventLoop(count: number): Promise<void> {
	for (let turn = 0; turn < count; turn++) {
		// A new channel each time: a second message on the same one would arrive without a turn in between.
		const { port1, port2 } = new MessageChannel();
		await new Promise<void>((resolve) => {
			port1.addEventListener('message', () => resolve());
			port1.start();
			port2.postMessage(undefined);
		});
		port1.close();
	}
}

/**
 * Spreads out the CPU work of a run's items. Without it, one item's work delays the sockets of the others; requests leave in a
 * burst, are answered in a burst, and block each other again.
 *
 * @example await pacer.yield(); // before each step of an item that keeps n8n's thread busy
 */
export class Pacer {
	#steps = 0;

	#turn: Promise<void> = Promise.resolve();

	/** Waits until what was begun before, by any item, has reached the network; first come, first served. */
	async yield(): Promise<void> {
		const turn = this.#turn;
		this.#steps += 1;
		if (this.#steps % STEPS_AT_ONCE === 0)
			this.#turn = turn.then(async () => await yieldToEventLoop(TURNS_OF_A_REQUEST));
		await turn;
	}
}
