/** Entries that are taken from the front of the queue before its memory is freed. */
const TAKEN_AT_ONCE = 1000;

/**
 * A bounded number of permits, granted first come, first served.
 *
 * @example
 * const semaphore = new Semaphore(2);
 * await semaphore.acquire();
 * try { ... } finally { semaphore.release(); }
 */
export class Semaphore {
	#free: number;

	/** Permits held back until the first one is released. */
	#heldBack: number;

	#waiting: Array<() => void> = [];

	#next = 0;

	/**
	 * @param count permits that can be held at the same time
	 * @param atFirst how many of them can be held until the first is released
	 */
	constructor(count: number, atFirst = count) {
		this.#free = atFirst;
		this.#heldBack = count - atFirst;
	}

	/** Waits for a permit. Each needs one `release`. */
	async acquire(): Promise<void> {
		if (this.#free > 0) {
			this.#free -= 1;
			return;
		}
		await new Promise<void>((resolve) => this.#waiting.push(resolve));
	}

	/** Returns a permit, which passes to the one that has waited longest. */
	release(): void {
		const permits = 1 + this.#heldBack;
		this.#heldBack = 0;
		for (let permit = 0; permit < permits; permit++) this.#give();
	}

	#give(): void {
		const resolve = this.#waiting[this.#next];
		if (resolve === undefined) {
			this.#free += 1;
			return;
		}
		this.#next += 1;
		if (this.#next === TAKEN_AT_ONCE) {
			this.#waiting = this.#waiting.slice(TAKEN_AT_ONCE);
			this.#next = 0;
		}
		resolve();
	}
}
