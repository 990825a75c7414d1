import { monotonicMs } from '../values/clock';

/** Upper bound of the time that n8n takes to save a state, in milliseconds. */
const SAVING_TIME = 30_000;

interface GivenState {
	readonly revision: number;
	/** By `monotonicMs`. */
	readonly time: number;
}

/** The last state of each trigger that was returned to n8n for saving, for as long as that may take. */
const given = new Map<string, GivenState>();

/** Whether n8n may still be saving the state. */
function isRecent({ time }: GivenState): boolean {
	return monotonicMs() - time < SAVING_TIME;
}

/** Remembers a state that n8n is about to save. */
export function noteGiven(trigger: string, revision: number): void {
	for (const [other, state] of given) if (!isRecent(state)) given.delete(other);
	given.set(trigger, { revision, time: monotonicMs() });
}

/**
 * Whether a poll starts from a state that n8n is about to replace. The durable scheduler can start a poll from the saved
 * state a moment before the result of the previous poll is saved: it would return the same items again. A result that n8n
 * drops is never saved, so after a while the older state is the valid one.
 */
export function isOutdated(trigger: string, revision: number): boolean {
	const last = given.get(trigger);
	return last !== undefined && isRecent(last) && revision < last.revision;
}
