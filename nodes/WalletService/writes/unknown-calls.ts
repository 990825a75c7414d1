import { ExpiringMap } from '../values/expiring-map';

/** How long a call of unknown outcome is refused to a tool. */
export const UNKNOWN_CALL_MINUTES = 60;
/** Calls kept at most; the oldest go first. One write at a time cannot leave so many of unknown outcome in an hour. */
const MAX_CALLS = 10_000;

/** Why nobody knows the outcome of a call, and the hashes that came with it. */
export interface UnknownCall {
	readonly reason: string;
	readonly hashes: readonly string[];
}

/**
 * Calls of tools whose outcome nobody knows, in this process, by credential, node and canonical call. A model that got no
 * answer asks again, as a new call, in another conversation or over another client: the same transaction would go out twice.
 */
export class UnknownCalls extends ExpiringMap<UnknownCall> {
	constructor() {
		super({ maxEntries: MAX_CALLS, holdsForMs: UNKNOWN_CALL_MINUTES * 60_000 });
	}
}
