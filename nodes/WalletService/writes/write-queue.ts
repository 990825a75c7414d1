/** Waits until a promise is fulfilled, but not longer than until the signal aborts. */
async function untilDone(before: Promise<void>, cancel: AbortSignal | undefined): Promise<void> {
	await new Promise<void>((resolve) => {
		const stop = () => resolve();
		if (cancel?.aborted === true) stop();
		cancel?.addEventListener('abort', stop, { once: true });
		void before.then(() => {
			cancel?.removeEventListener('abort', stop);
			resolve();
		});
	});
}

/**
 * Lets writes of one credential go out one at a time, in the order of asking, whichever node, item, tool call or execution
 * of this process they come from: two that are under way at once can take the same nonce.
 */
export class WriteQueue {
	/** By credential: fulfilled when the last write that asked is over. */
	readonly #last = new Map<string, Promise<void>>();

	/**
	 * Runs `work` when all that asked before for the same credential are over. What was stopped while it waited still
	 * gets its call, at once, and has to look at the signal before it sends.
	 *
	 * @param key the credential
	 * @param cancel the execution's own signal
	 */
	async run<T>(key: string, cancel: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
		const before = this.#last.get(key);
		let leave: () => void = () => undefined;
		const own = new Promise<void>((resolve) => {
			leave = resolve;
		});
		// Whoever stops waiting leaves at once; the next one still waits for all that came before.
		const last = before === undefined ? own : before.then(async () => await own);
		this.#last.set(key, last);
		void last.then(() => {
			if (this.#last.get(key) === last) this.#last.delete(key);
		});
		try {
			if (before !== undefined) await untilDone(before, cancel);
			return await work();
		} finally {
			leave();
		}
	}
}
