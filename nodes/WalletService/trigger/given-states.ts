/** How long n8n may take to save a state, in milliseconds; it takes a moment. */
const SAVING_TIME = 30_000;

interface GivenState {
	readonly revision: number;
	/** Milliseconds since 1970. */
	readonly time: number;
}

/** The last state of each trigger that n8n was given to save, as long as that may take. */
const given = new Map<string, GivenState>();

/** Whether n8n may still be saving what it was given then. A clock that was set back must not make it so for long. */
function isRecent({ time }: GivenState): boolean {
	return Math.abs(Date.now() - time) < SAVING_TIME;
}

/** Remembers a state that n8n is about to save. */
export function noteGiven(trigger: string, revision: number): void {
	for (const [other, state] of given) if (!isRecent(state)) given.delete(other);
	given.set(trigger, { revision, time: Date.now() });
}

/**
 * Whether a poll begins with a state that n8n is about to replace. Under the durable scheduler a poll can be made from
 * what is saved a moment before the result of the last one is: it would give the same items again. A result that n8n
 * drops is never saved, so after a while the older state is the one that counts.
 */
export function isOutdated(trigger: string, revision: number): boolean {
	const last = given.get(trigger);
	return last !== undefined && isRecent(last) && revision < last.revision;
}
