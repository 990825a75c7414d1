import type { Clock } from '../../../../bench/service-profiles.mts';

/** Simulated time: a day takes milliseconds. */
export class Simulation implements Clock {
	now = 0;

	readonly #due: { at: number; run: () => void }[] = [];

	/** Runs an action after a time in milliseconds; actions due at the same time run in order. */
	after(milliseconds: number, run: () => void): void {
		const at = this.now + milliseconds;
		let low = 0;
		let high = this.#due.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			// The next one is last.
			if ((this.#due[middle]?.at ?? 0) > at) low = middle + 1;
			else high = middle;
		}
		this.#due.splice(low, 0, { at, run });
	}

	/** Lets time pass until nothing is due, or `isOver` returns true. */
	run(isOver: () => boolean = () => false): void {
		for (let next = this.#due.pop(); next !== undefined; next = this.#due.pop()) {
			this.now = next.at;
			next.run();
			if (isOver()) return;
		}
	}
}
