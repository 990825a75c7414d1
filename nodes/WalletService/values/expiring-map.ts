import { monotonicMs } from './clock';

/**
 * A bounded number of values in this process, each for a limited time. A value counts from the last time it was set; those
 * that have expired make room first, then the oldest.
 *
 * @example
 * const names = new ExpiringMap({ maxEntries: 1000, holdsForMs: 60_000 });
 * names.set('DISCORD-1', 'Nelly', 0);
 * [names.get('DISCORD-1', 59_999), names.get('DISCORD-1', 60_000)] // ['Nelly', undefined]
 */
export class ExpiringMap<T> {
	readonly #entries = new Map<string, { readonly value: T; readonly until: number }>();

	readonly #maxEntries: number;

	readonly #holdsForMs: number;

	/** @param limits without `holdsForMs`, values do not expire */
	constructor({ maxEntries, holdsForMs = Infinity }: { maxEntries: number; holdsForMs?: number }) {
		this.#maxEntries = maxEntries;
		this.#holdsForMs = holdsForMs;
	}

	/** @param now by `monotonicMs` */
	get(key: string, now: number = monotonicMs()): T | undefined {
		const entry = this.#entries.get(key);
		return entry !== undefined && entry.until > now ? entry.value : undefined;
	}

	/** @param now by `monotonicMs` */
	set(key: string, value: T, now: number = monotonicMs()): void {
		this.#entries.delete(key);
		this.#entries.set(key, { value, until: now + this.#holdsForMs });
		for (const [oldest, { until }] of this.#entries) {
			if (this.#entries.size <= this.#maxEntries && until > now) return;
			this.#entries.delete(oldest);
		}
	}

	delete(key: string): void {
		this.#entries.delete(key);
	}
}
