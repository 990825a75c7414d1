/** Most notes kept; the oldest are dropped first. */
const MAX_NOTES = 1000;

/** Notes on access tokens of credentials that expire after a time, in this process. */
export class PassingNotes<T> {
	readonly #notes = new Map<string, { readonly note: T; readonly until: number }>();

	readonly #holdsForMs: number;

	/** @param holdsForMs how long a note is valid, in milliseconds */
	constructor(holdsForMs: number) {
		this.#holdsForMs = holdsForMs;
	}

	find(credential: string, accessToken: string): T | undefined {
		const found = this.#notes.get(keyOf(credential, accessToken));
		return found !== undefined && found.until > Date.now() ? found.note : undefined;
	}

	add(credential: string, accessToken: string, note: T): void {
		const key = keyOf(credential, accessToken);
		this.#notes.delete(key);
		this.#notes.set(key, { note, until: Date.now() + this.#holdsForMs });
		const [oldest] = this.#notes.keys();
		if (this.#notes.size > MAX_NOTES && oldest !== undefined) this.#notes.delete(oldest);
	}
}

/** Two credentials may hold the same token, and one credential gets new tokens: each pair has notes of its own. */
function keyOf(credential: string, accessToken: string): string {
	return JSON.stringify([credential, accessToken]);
}
