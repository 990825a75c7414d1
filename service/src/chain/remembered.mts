/** Age up to which a doubtful fact is remembered, in milliseconds: those who ask at the same time get the same answer. */
const DOUBTFUL_MS = 2_000;

interface Fact<T> {
	fact: Promise<T>;
	/** Until when it is remembered, in milliseconds of the monotonic clock. */
	until(): number;
}

/** Reads a fact once per key. Forgets the oldest fact when there are too many, a fact when it is old, and a doubtful one soon. */
export class Remembered<T> {
	readonly #read: (key: string, doubt: () => void) => Promise<T>;
	readonly #limits: { count: number; ms: number };
	readonly #facts = new Map<string, Fact<T>>();

	/**
	 * @param read calls `doubt` if the fact may be wrong
	 * @param limits.ms maximum age of a fact, in milliseconds
	 */
	constructor(
		read: (key: string, doubt: () => void) => Promise<T>,
		limits: { count: number; ms: number },
	) {
		this.#read = read;
		this.#limits = limits;
	}

	get(key: string): Promise<T> {
		const at = performance.now();
		const known = this.#facts.get(key);
		if (known && at < known.until()) return known.fact;
		this.#facts.delete(key);
		const oldest = this.#facts.keys().next();
		if (this.#facts.size >= this.#limits.count && !oldest.done) this.#facts.delete(oldest.value);
		let until = at + this.#limits.ms;
		const fact = this.#read(key, () => {
			until = at + DOUBTFUL_MS;
		});
		this.#facts.set(key, { fact, until: () => until });
		fact.catch(() => this.#facts.delete(key));
		return fact;
	}
}
