import type { CallFailure } from './call-failure';

/** How long nothing is sent with a sign-in that has ended, unless it is connected again. */
const QUIET_MS = 60_000;
/** Credentials kept at most; the oldest go first. */
const MAX_CREDENTIALS = 1000;

interface LostSession {
	readonly accessToken: string;
	readonly failure: CallFailure;
	readonly until: number;
}

/**
 * Sign-ins that have ended, in this process. Every request with one would be refused and would have n8n try to renew it:
 * one is enough to know. A new access token in the credential is a new sign-in.
 */
class LostSessions {
	readonly #byCredential = new Map<string, LostSession>();

	/** How the sign-in ended; `undefined` when it may still be good. */
	find(credentialId: string, accessToken: string): CallFailure | undefined {
		const lost = this.#byCredential.get(credentialId);
		const isOver = lost?.accessToken === accessToken && lost.until > Date.now();
		return isOver ? lost.failure : undefined;
	}

	add(credentialId: string, accessToken: string, failure: CallFailure): void {
		const until = Date.now() + QUIET_MS;
		this.#byCredential.delete(credentialId);
		this.#byCredential.set(credentialId, { accessToken, failure, until });
		const [oldest] = this.#byCredential.keys();
		if (this.#byCredential.size > MAX_CREDENTIALS && oldest !== undefined) {
			this.#byCredential.delete(oldest);
		}
	}
}

export const lostSessions = new LostSessions();
