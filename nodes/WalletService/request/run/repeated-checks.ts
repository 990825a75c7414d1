import { monotonicMs, SECOND_MS } from '../../values/clock';
import { pause } from '../http/deadline';
import type { Item } from './item';
import type { Run } from './run';

/**
 * Pauses between checks, in seconds: short at first, because most transfers and values arrive soon. The last one repeats.
 */
const PAUSES = [2, 3, 5, 8, 12, 20, 30];

export interface Check<T> {
	/** When the service was queried, by `monotonicMs`. */
	readonly at: number;
	/** The same moment by the wall clock, in milliseconds since 1970. */
	readonly checkedAt: number;
	readonly found: T;
}

export interface LastCheck<T> extends Check<T> {
	/** Time from the first check of the item to the last one, in milliseconds. */
	readonly checkedForMs: number;
}

/**
 * The times of the checks, in milliseconds after the first: immediately, after growing pauses, and when the time is up.
 *
 * @example checkTimes(7_000) // [0, 2000, 5000, 7000]
 */
export function checkTimes(waitMs: number): number[] {
	const times = [0];
	let next = 0;
	for (let check = 0; next < waitMs; check++) {
		next += (PAUSES[check] ?? PAUSES[PAUSES.length - 1] ?? 0) * SECOND_MS;
		times.push(Math.min(next, waitMs));
	}
	return times;
}

/** @throws ServiceError if the run is stopped or fails. */
async function pauseUntil(time: number, { context }: Item, run: Run): Promise<void> {
	const cancel = context.getExecutionCancelSignal();
	for (let left = time - monotonicMs(); left > 0; left = time - monotonicMs()) {
		run.throwIfStopped(cancel);
		await pause(Math.min(left, SECOND_MS), cancel);
	}
	run.throwIfStopped(cancel);
}

export interface CheckSchedule {
	readonly item: Item;
	readonly run: Run;
	/** How long to keep checking, in milliseconds; 0 for a single check. */
	readonly waitMs: number;
	/** Start of the schedule, by `monotonicMs`; by default the item's own first check. */
	readonly start?: number;
}

/**
 * Repeats a check until its result is sufficient or the time is up.
 *
 * @param check performs the check for one of the {@link checkTimes}
 * @param isEnough whether a result ends the wait
 * @throws any error of a check; ServiceError if the run is stopped or fails.
 */
export async function checkUntil<T>(
	{ item, run, waitMs, start: given }: CheckSchedule,
	check: (time: number) => Promise<Check<T>>,
	isEnough: (found: T) => boolean,
): Promise<LastCheck<T>> {
	const times = checkTimes(waitMs);
	let start = given;
	let firstAt: number | undefined;
	for (const [index, time] of times.entries()) {
		const next = times[index + 1];
		if (start !== undefined) {
			// Skips an overdue check: the item started late, or the service is slow.
			if (next !== undefined && start + next <= monotonicMs()) continue;
			await pauseUntil(start + time, item, run);
		}
		const last = await check(time);
		const { at, found } = last;
		start ??= at;
		firstAt ??= at;
		if (next === undefined || isEnough(found)) return { ...last, checkedForMs: at - firstAt };
	}
	throw new Error('There is always a last check');
}
