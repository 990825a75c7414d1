import { untilDone } from '../request/http/deadline';

/**
 * Serializes the writes of one credential, in the order of their calls, across all nodes, items, tool calls and
 * executions of this process: two writes in flight at the same time can get the same nonce.
 *
 * @example await new WriteQueue().run('credential 1', undefined, async () => 7) // 7
 */
export class WriteQueue {
	/** Promises by credential, fulfilled when the last queued write is over. */
	readonly #last = new Map<string, Promise<void>>();

	/**
	 * Calls `work` when all earlier writes of the same credential are over. If the signal aborts during the wait, `work`
	 * is called immediately, and must check the signal before it sends.
	 */
	async run<T>(key: string, cancel: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
		const before = this.#last.get(key) ?? Promise.resolve();
		const own = untilDone(before, cancel).then(work);
		// The next write waits for all earlier ones, even if this one stops waiting. Results are dropped, so they do not pile up.
		const last = Promise.allSettled([before, own]).then(() => undefined);
		this.#last.set(key, last);
		void last.then(() => {
			if (this.#last.get(key) === last) this.#last.delete(key);
		});
		return await own;
	}
}
