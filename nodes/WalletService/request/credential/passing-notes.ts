import { ExpiringMap } from '../../values/expiring-map';

/** Notes kept at most; the oldest go first. */
const MAX_NOTES = 1000;

/** What is known for a while about the access token of a credential, in this process. */
export class PassingNotes<T> {
	readonly #notes: ExpiringMap<T>;

	/** @param holdsForMs how long a note is of use, in milliseconds */
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

/** Credentials may hold the same token, and a credential gets new ones: neither may find the notes on another. */
function keyOf(credential: string, accessToken: string): string {
	return JSON.stringify([credential, accessToken]);
}
