import { monotonicMs } from './clock';

/**
 * A bounded number of values in this process, each kept for a limited time after it is set. Expired values are dropped
 * first, then the oldest.
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

	/** @param now current time of `monotonicMs` */
	get(key: string, now: number = monotonicMs()): T | undefined {
		const entry = this.#entries.get(key);
		return entry !== undefined && entry.until > now ? entry.value : undefined;
	}

	/** @param now current time of `monotonicMs` */
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

/**
 * Returns a function that keeps its last result, for all items of a run that pass the same value. Only the first argument
 * counts: the others may affect errors, which are not kept, but not the result.
 *
 * @example
 * const countOf = keepingLast((text) => [text.length]);
 * countOf('seven') === countOf('seven') // true
 */
export function keepingLast<Given extends readonly unknown[], T>(
	make: (...given: Given) => T,
): (...given: Given) => T {
	let last: { readonly of: unknown; readonly value: T } | undefined;
	return (...given) => {
		if (last === undefined || last.of !== given[0]) last = { of: given[0], value: make(...given) };
		return last.value;
	};
}

/** Maximum number of characters kept, including keys; the oldest entries are dropped first. */
export const MAX_KEPT_CHARACTERS = 8_000_000;

/**
 * Values that several items of a run need, each computed once. A failure is not kept, so that a later item tries again.
 *
 * @example await new Once().get('seven', async () => 7) // 7
 */
export class Once {
	readonly #made = new Map<string, Promise<unknown>>();

	/** Sizes of the entries that may be dropped, oldest first. */
	readonly #characters = new Map<string, number>();

	#sum = 0;

	/**
	 * Returns the value for a key, made by `make` if absent.
	 *
	 * @param mayForget whether the value is text that may be dropped before the run ends
	 * @throws any error of `make`
	 */
	async get<T>(key: string, make: () => Promise<T>, { mayForget = false } = {}): Promise<T> {
		const known = this.#made.get(key);
		if (known !== undefined) return (await known) as T;
		const made = make();
		this.#made.set(key, made);
		// Not awaited, so that callers continue in order.
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
