import { createHash } from 'node:crypto';
import type { User } from './directory.mts';

/** Finds the user of an access token. */
export interface TokenVerifier {
	/** The user of the token; undefined if this verifier does not recognise it. */
	verify(token: string): Promise<User | undefined>;
}

/** The fixed, readable access token of a sandbox user: public test material. */
export function fixedTokenOf(user: User): string {
	const readable = user.id.toLowerCase().replace(/[^a-z0-9]+/g, '-');
	return `sandbox-token-${readable.replace(/-$/, '')}`;
}

// Looking up by hash takes the same time regardless of how much of a wrong token is correct.
function fingerprint(token: string): string {
	return createHash('sha256').update(token).digest('hex');
}

/** Recognises the fixed access tokens of the given users. */
export class FixedTokens implements TokenVerifier {
	readonly #users: Map<string, User>;

	constructor(users: User[]) {
		this.#users = new Map(users.map((user) => [fingerprint(fixedTokenOf(user)), user]));
	}

	verify(token: string): Promise<User | undefined> {
		return Promise.resolve(this.#users.get(fingerprint(token)));
	}
}
