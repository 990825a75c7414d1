import { setTimeout } from 'node:timers/promises';

/** A moment by which an answer is due, on the monotonic clock. */
export class Deadline {
	readonly #at: number;

	constructor(ms: number) {
		this.#at = performance.now() + ms;
	}

	/** Milliseconds that are left. */
	get left(): number {
		return Math.max(0, Math.floor(this.#at - performance.now()));
	}

	get isOver(): boolean {
		return this.left === 0;
	}

	/** The result of `work`, or undefined if it takes longer; the work goes on. @throws whatever the work throws in time */
	async wait<T>(work: Promise<T>): Promise<T | undefined> {
		const ended = new AbortController();
		const late = setTimeout(this.left, undefined, { signal: ended.signal }).catch(() => undefined);
		try {
			return await Promise.race([work, late]);
		} finally {
			ended.abort();
			// It may fail once nobody waits for it.
			work.catch(() => undefined);
		}
	}
}
