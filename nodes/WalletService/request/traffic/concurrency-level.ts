/** Level of a new run; a slower service lowers it to this and not further, because it may be slow for other reasons. */
const START = 10;

/** Bound of the level: connections that n8n has open to one service. */
const MOST = 200;

/** How much slower than usual a service may answer because of us. */
const TOLERANCE = 1.35;

/** Weight of a new measurement in what is usual. */
const WEIGHT = 0.3;

/** Answers that a measurement takes at least. */
const FEWEST_ANSWERS = 10;

/** Share of a round that a measurement takes while the level doubles: otherwise it takes a whole one. */
const PART_OF_ROUND = 0.25;

/** Share of the level that must have been under way before more would be of use. */
const USED = 0.75;

/** Growth after the service became slower: 10 % at first, and twice as much each time it is as quick as before. */
const FIRST_GROWTH = 0.1;
const DOUBLING = 1;

/** A request that was answered. */
export interface Exchange {
	/** In milliseconds since 1970. */
	readonly startedAt: number;
	readonly endedAt: number;
	/** Requests that were under way when its answer came, itself included. */
	readonly inFlight: number;
}

/**
 * How many requests may be under way at the same time, found from how long the service takes to answer: the number doubles
 * while answers come as quickly as before, and falls to what the service handled at its usual speed once they come later,
 * because the service or n8n's thread is busy. After the gradient algorithm of Netflix's concurrency-limits and the adaptive
 * request concurrency of Vector.
 *
 * @example new ConcurrencyLevel().value // 10
 */
export class ConcurrencyLevel {
	#level = START;

	#growth = DOUBLING;

	/** How long the service takes to answer when it is not kept busy, in milliseconds. */
	#usualMs: number | undefined;

	/** Requests sent before say nothing about the present level. */
	#changedAt = -Infinity;

	#sumMs = 0;

	#answers = 0;

	#mostInFlight = 0;

	get value(): number {
		return Math.floor(this.#level);
	}

	/** Takes an answer into account that was no refusal. */
	noteAnswer({ startedAt, endedAt, inFlight }: Exchange): void {
		if (startedAt < this.#changedAt) return;
		this.#sumMs += endedAt - startedAt;
		this.#answers += 1;
		this.#mostInFlight = Math.max(this.#mostInFlight, inFlight);
		const part = this.#growth === DOUBLING ? PART_OF_ROUND : 1;
		if (this.#answers < Math.max(this.#level * part, FEWEST_ANSWERS)) return;
		this.#set(this.#judge(this.#sumMs / this.#answers), endedAt);
	}

	/** The next level. @param meanMs how long the last answers took */
	#judge(meanMs: number): number {
		this.#usualMs ??= meanMs;
		// Only a service that stays slow with few requests under way is slow by itself.
		if (meanMs < this.#usualMs || this.#level <= START)
			this.#usualMs += (meanMs - this.#usualMs) * WEIGHT;
		const share = (TOLERANCE * this.#usualMs) / meanMs;
		if (share < 1) {
			this.#growth = FIRST_GROWTH;
			return Math.max(START, this.#level * Math.max(share, 0.5));
		}
		if (this.#mostInFlight < this.#level * USED) return this.#level;
		const grown = this.#level * (1 + this.#growth);
		this.#growth = Math.min(2 * this.#growth, DOUBLING);
		return Math.min(grown, MOST);
	}

	#set(level: number, now: number): void {
		this.#sumMs = 0;
		this.#answers = 0;
		this.#mostInFlight = 0;
		if (level === this.#level) return;
		this.#level = level;
		this.#changedAt = now;
	}
}
