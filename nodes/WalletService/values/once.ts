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
	 * @param charactersOf how much room it takes; without it, it is kept as long as the run
	 * @throws what `make` throws
	 */
	async get<T>(
		key: string,
		make: () => Promise<T>,
		charactersOf?: (value: T) => number,
	): Promise<T> {
		const known = this.#made.get(key);
		if (known !== undefined) return (await known) as T;
		const made = make();
		this.#made.set(key, made);
		// Not awaited, so that those who ask go on in their order.
		void made.then(
			(value) => charactersOf && this.#count(key, charactersOf(value)),
			() => this.#made.delete(key),
		);
		return await made;
	}

	#count(key: string, characters: number): void {
		this.#characters.set(key, key.length + characters);
		this.#sum += key.length + characters;
		for (const [oldest, its] of this.#characters) {
			if (this.#sum <= MAX_KEPT_CHARACTERS) return;
			this.#made.delete(oldest);
			this.#characters.delete(oldest);
			this.#sum -= its;
		}
	}
}
