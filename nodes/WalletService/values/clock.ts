/**
 * Whole milliseconds of a clock that only runs forward, for durations, deadlines and pauses: the wall clock can be set back
 * or forward while something waits.
 *
 * @example
 * const startedAt = monotonicMs();
 * monotonicMs() - startedAt >= 0 // true
 */
export function monotonicMs(): number {
	return Math.floor(performance.now());
}

/**
 * Milliseconds since 1970 (UTC), for points in time only: when something was submitted, when a token expires.
 *
 * @example wallClockMs() > Date.UTC(2020) // true
 */
export function wallClockMs(): number {
	return Date.now();
}

/** Milliseconds of a second. */
export const SECOND_MS = 1000;
