/** Number of blocks per request for logs at first, and at most. */
const FIRST = 1_000;
const MOST = 5_000;

/** Maximum number of successes before a larger range is tried. */
const MOST_PATIENCE = 64;

interface Size {
	blocks: number;
	/** Successes in a row with this size, and how many of them a larger one needs. */
	successes: number;
	patience: number;
}

/**
 * How many blocks an endpoint takes per request for logs: every provider has other limits, and reports them in other words. Any
 * failure halves the number; it doubles after successes, of which each failure requires more.
 */
export class RangeSizes {
	readonly #sizes = new WeakMap<object, Size>();

	of(endpoint: object): number {
		return this.#sizeOf(endpoint).blocks;
	}

	succeeded(endpoint: object, blocks: number): void {
		const size = this.#sizeOf(endpoint);
		if (blocks < size.blocks) return;
		size.successes += 1;
		if (size.successes < size.patience) return;
		size.successes = 0;
		size.patience = Math.max(1, size.patience / 2);
		size.blocks = Math.min(MOST, size.blocks * 2);
	}

	failed(endpoint: object, blocks: number): void {
		const size = this.#sizeOf(endpoint);
		size.successes = 0;
		size.blocks = Math.max(1, Math.floor(blocks / 2));
		size.patience = Math.min(MOST_PATIENCE, size.patience * 2);
	}

	#sizeOf(endpoint: object): Size {
		const known = this.#sizes.get(endpoint);
		if (known) return known;
		const size = { blocks: FIRST, successes: 0, patience: 1 };
		this.#sizes.set(endpoint, size);
		return size;
	}
}
