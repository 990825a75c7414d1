/** Notes kept at most; the oldest go first. */
const MAX_NOTES = 1000;

/** What is known for a while about the access token of a credential, in this process. */
export class PassingNotes<T> {
	readonly #notes = new Map<string, { readonly note: T; readonly until: number }>();

	readonly #holdsForMs: number;

	/** @param holdsForMs how long a note is of use, in milliseconds */
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

/** Credentials may hold the same token, and a credential gets new ones: neither may find the notes on another. */
function keyOf(credential: string, accessToken: string): string {
	return JSON.stringify([credential, accessToken]);
}
