import { ExpiringMap } from '../../values/expiring-map';

/** Most notes kept; the oldest are dropped first. */
const MAX_NOTES = 1000;

/** Notes on access tokens of credentials that expire after a time, in this process. */
export class PassingNotes<T> {
	readonly #notes: ExpiringMap<T>;

	/** @param holdsForMs how long a note is valid, in milliseconds */
	constructor(holdsForMs: number) {
		this.#notes = new ExpiringMap({ maxEntries: MAX_NOTES, holdsForMs });
	}

	find(credential: string, accessToken: string): T | undefined {
		return this.#notes.get(keyOf(credential, accessToken));
	}

	add(credential: string, accessToken: string, note: T): void {
		this.#notes.set(keyOf(credential, accessToken), note);
	}
}

/** Two credentials may hold the same token, and one credential gets new tokens: each pair has notes of its own. */
function keyOf(credential: string, accessToken: string): string {
	return JSON.stringify([credential, accessToken]);
}
