/** Computes a value with and without faults under this name, and notes the numbers of those that make a difference. */
export const COMPARED = '__compared';

/** Whether two values are the same, or lists of the same ones. */
function isSame(one: unknown, other: unknown): boolean {
	if (Object.is(one, other)) return true;
	if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
	return one.every((entry, index) => Object.is(entry, other[index]));
}

/** What `COMPARED` stands for in tests: gives the sound value, and tells the numbers of the faults that give another. */
export function comparer(note: (number: number) => void) {
	type Versions = () => [number, () => unknown][];
	const done = new Set<number>();
	const noteAll = (versions: Versions, isDifferent: (value: () => unknown) => boolean) => {
		for (const [number, value] of versions()) {
			if (done.has(number) || !isDifferent(value)) continue;
			done.add(number);
			note(number);
		}
	};
	return (sound: () => unknown, versions: Versions): unknown => {
		let value: unknown;
		try {
			value = sound();
		} catch (error) {
			noteAll(versions, () => true);
			throw error;
		}
		noteAll(versions, (other) => {
			try {
				return !isSame(other(), value);
			} catch {
				return true;
			}
		});
		return value;
	};
}
