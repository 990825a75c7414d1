import { settle } from '../../values/settle';
import type { Received } from '../http/service-client';

/** Characters of answers that a run keeps at most, keys included; the oldest are forgotten first. */
export const MAX_SHARED_CHARACTERS = 8_000_000;

interface Shared {
	readonly received: Promise<Received>;
	/** 0 until the answer is there. */
	characters: number;
}

/**
 * Answers that serve several items of a run: what many of them ask for is asked once. Failures are not kept, so that an item
 * which comes later asks by itself.
 *
 * @example await new SharedAnswers().get('user 1', async () => await ask()) // what `ask` received
 */
export class SharedAnswers {
	/** By what was asked, oldest first. */
	readonly #shared = new Map<string, Shared>();

	#characters = 0;

	/** The answer to what was asked before, or else what `ask` receives. @throws what `ask` throws */
	async get(key: string, ask: () => Promise<Received>): Promise<Received> {
		const known = this.#shared.get(key);
		if (known !== undefined) return await known.received;
		const shared: Shared = { received: ask(), characters: 0 };
		this.#shared.set(key, shared);
		const result = await settle(shared.received);
		if (result.status === 'rejected') this.#shared.delete(key);
		else this.#keep(shared, key.length + String(result.value.response.body).length);
		return await shared.received;
	}

	#keep(shared: Shared, characters: number): void {
		shared.characters = characters;
		this.#characters += characters;
		for (const [key, oldest] of this.#shared) {
			if (this.#characters <= MAX_SHARED_CHARACTERS) return;
			// One that is still under way takes no room yet, and would be asked for again.
			if (oldest.characters === 0) continue;
			this.#shared.delete(key);
			this.#characters -= oldest.characters;
		}
	}
}
