/** Minimum, median and maximum of a list of numbers. */
export interface Spread {
	min: number;
	median: number;
	max: number;
}

/**
 * Spread of a list of numbers; the median of an even count is the mean of the middle two.
 *
 * @throws Error for an empty list.
 */
export function spreadOf(numbers: readonly number[]): Spread {
	const sorted = [...numbers].sort((one, other) => one - other);
	const at = (index: number) => {
		const value = sorted.at(index);
		if (value === undefined) throw new Error('An empty list has no spread');
		return value;
	};
	const half = sorted.length / 2;
	const median = (at(Math.ceil(half) - 1) + at(Math.floor(half))) / 2;
	return { min: at(0), median, max: at(-1) };
}
