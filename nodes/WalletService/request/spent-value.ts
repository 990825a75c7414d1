/** Executions kept at most; the oldest go first. */
const MAX_EXECUTIONS = 10_000;

/** How much native coin each execution has sent with each credential, in wei; in this process, bounded in size. */
export class SpentValue {
	readonly #spent = new Map<string, bigint>();

	/** @param key execution and credential */
	of(key: string): bigint {
		return this.#spent.get(key) ?? 0n;
	}

	/** Adds an amount that is about to be sent; a negative one takes back what certainly was not. */
	add(key: string, wei: bigint): void {
		const total = this.of(key) + wei;
		this.#spent.delete(key);
		this.#spent.set(key, total);
		for (const oldest of this.#spent.keys()) {
			if (this.#spent.size <= MAX_EXECUTIONS) return;
			this.#spent.delete(oldest);
		}
	}
}
