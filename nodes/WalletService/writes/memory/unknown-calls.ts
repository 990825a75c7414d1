import { ExpiringMap } from '../../values/caches';

/** How long a call of unknown outcome is blocked. */
export const UNKNOWN_CALL_MINUTES = 60;
/** Most calls kept; the oldest are dropped first. A service that fails at once leaves so many in some minutes. */
const MAX_CALLS = 100_000;

/** Why nobody knows the outcome of a call, and the hashes that came with it. */
export interface UnknownCall {
	readonly reason: string;
	readonly hashes: readonly string[];
}

/**
 * Calls of unknown outcome, in this process, by credential and canonical call. Whoever got no answer asks again, be it a
 * model, a caller of a webhook or a workflow around: the same transaction would be sent twice.
 *
 * @example
 * const calls = new UnknownCalls();
 * calls.set('key', { reason: 'no answer', hashes: [] }, 0);
 * [calls.get('key', 1)?.reason, calls.get('key', UNKNOWN_CALL_MINUTES * 60_000)] // ['no answer', undefined]
 */
export class UnknownCalls extends ExpiringMap<UnknownCall> {
	constructor() {
		super({ maxEntries: MAX_CALLS, holdsForMs: UNKNOWN_CALL_MINUTES * 60_000 });
	}
}
