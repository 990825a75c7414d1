/** Numbers from 0 to 1, the same ones for the same seed. */
function* randomNumbers(seed: number): Generator<number, never> {
	// mulberry32
	for (let state = seed >>> 0; ; ) {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		yield ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	}
}

/** So many of the items, chosen at random, in their order. */
export function sampleOf<T>(items: readonly T[], size: number, seed: number): T[] {
	const numbers = randomNumbers(seed);
	const drawn = items.map((item, index) => ({ item, index, rank: numbers.next().value }));
	const chosen = drawn.sort((one, other) => one.rank - other.rank).slice(0, size);
	return chosen.sort((one, other) => one.index - other.index).map(({ item }) => item);
}
