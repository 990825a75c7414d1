import { ExpiringMap } from '../../values/expiring-map';

/** How long a call of unknown outcome is refused to a tool. */
export const UNKNOWN_CALL_MINUTES = 60;
/**
 * Most calls kept; the oldest are dropped first. Writes that are sent one at a time cannot leave so many of unknown outcome
 * in an hour.
 */
const MAX_CALLS = 10_000;

/** Why nobody knows the outcome of a call, and the hashes that came with it. */
export interface UnknownCall {
	readonly reason: string;
	readonly hashes: readonly string[];
}

/**
 * Tool calls of unknown outcome, in this process, by credential, node and canonical call. A model that got no answer asks
 * again, as a new call, in another conversation or through another client: the same transaction would be sent twice.
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
