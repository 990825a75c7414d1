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
		let timer: NodeJS.Timeout | undefined;
		const late = new Promise<undefined>((resolve) => {
			timer = setTimeout(() => resolve(undefined), this.left);
		});
		try {
			return await Promise.race([work, late]);
		} finally {
			clearTimeout(timer);
			// It may fail once nobody waits for it.
			work.catch(() => undefined);
		}
	}
}
