/** Computes a value with and without faults under this name, and notes the numbers of those that make a difference. */
export const COMPARED = '__compared';

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
				return !Object.is(other(), value);
			} catch {
				return true;
			}
		});
		return value;
	};
}
