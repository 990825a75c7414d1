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

	constructor({ maxEntries, holdsForMs }: { maxEntries: number; holdsForMs: number }) {
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

/** Characters that what is kept takes at most, keys included; the oldest is forgotten first. */
export const MAX_KEPT_CHARACTERS = 8_000_000;

/**
 * What several items of a run need is made once. A failure is not kept, so that an item which comes later tries by itself.
 *
 * @example await new Once().get('seven', async () => 7) // 7
 */
export class Once {
	readonly #made = new Map<string, Promise<unknown>>();

	/** How much room that takes which may be forgotten, oldest first. */
	readonly #characters = new Map<string, number>();

	#sum = 0;

	/**
	 * What was made for the key, or else what `make` makes.
	 *
	 * @param mayForget whether it is a text that need not be kept as long as the run
	 * @throws what `make` throws
	 */
	async get<T>(key: string, make: () => Promise<T>, { mayForget = false } = {}): Promise<T> {
		const known = this.#made.get(key);
		if (known !== undefined) return (await known) as T;
		const made = make();
		this.#made.set(key, made);
		// Not awaited, so that those who ask go on in their order.
		void made.then(
			(value) => mayForget && this.#count(key, key.length + String(value).length),
			() => this.#made.delete(key),
		);
		return await made;
	}

	#count(key: string, characters: number): void {
		this.#characters.set(key, characters);
		this.#sum += characters;
		for (const [oldest, its] of this.#characters) {
			if (this.#sum <= MAX_KEPT_CHARACTERS) return;
			this.#made.delete(oldest);
			this.#characters.delete(oldest);
			this.#sum -= its;
		}
	}
}
