/** Reads a fact once per key. Forgets the oldest fact when there are too many, and a fact when it is old. */
export class Remembered<T> {
	readonly #read: (key: string) => Promise<T>;
	readonly #limits: { count: number; ms: number };
	readonly #facts = new Map<string, { fact: Promise<T>; at: number }>();

	/** @param limits.ms maximum age of a fact, in milliseconds */
	constructor(read: (key: string) => Promise<T>, limits: { count: number; ms: number }) {
		this.#read = read;
		this.#limits = limits;
	}

	get(key: string): Promise<T> {
		const at = performance.now();
		const known = this.#facts.get(key);
		if (known && at - known.at < this.#limits.ms) return known.fact;
		this.#facts.delete(key);
		const oldest = this.#facts.keys().next();
		if (this.#facts.size >= this.#limits.count && !oldest.done) this.#facts.delete(oldest.value);
		const fact = this.#read(key);
		this.#facts.set(key, { fact, at });
		fact.catch(() => this.#facts.delete(key));
		return fact;
	}
}
