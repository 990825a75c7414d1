import { randomNumbers } from '../../../../support/random-numbers.mts';

/** Reproducible choices. */
export class Random {
	readonly #next: () => number;

	constructor(seed: number) {
		this.#next = randomNumbers(seed);
	}

	/** An integer from 0, less than the limit. */
	below(limit: number): number {
		return Math.floor(this.#next() * limit);
	}

	/** Whether something happens that has a probability. */
	is(probability: number): boolean {
		return this.#next() < probability;
	}
}
