/** Turns that are taken from the front of the queue before its memory is given back. */
const SPENT_TURNS = 1000;

/** A bounded number of turns at the same time, given in the order of asking. */
export class Turns {
	#free: number;

	/** Turns that come with the end of the first one. */
	#withheld: number;

	#waiting: Array<() => void> = [];

	#next = 0;

	/**
	 * @param count how many can be had at the same time
	 * @param atFirst how many of them until the first has ended
	 */
	constructor(count: number, atFirst = count) {
		this.#free = atFirst;
		this.#withheld = count - atFirst;
	}

	/** Waits for a turn. Each needs one `end`. */
	async take(): Promise<void> {
		if (this.#free > 0) {
			this.#free -= 1;
			return;
		}
		await new Promise<void>((resolve) => this.#waiting.push(resolve));
	}

	/** Ends a turn, and gives it to whoever has waited longest. */
	end(): void {
		const turns = 1 + this.#withheld;
		this.#withheld = 0;
		for (let turn = 0; turn < turns; turn++) this.#give();
	}

	#give(): void {
		const resolve = this.#waiting[this.#next];
		if (resolve === undefined) {
			this.#free += 1;
			return;
		}
		this.#next += 1;
		if (this.#next === SPENT_TURNS) {
			this.#waiting = this.#waiting.slice(SPENT_TURNS);
			this.#next = 0;
		}
		resolve();
	}
}
