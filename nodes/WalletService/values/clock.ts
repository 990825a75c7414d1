import type { Field } from './invalid-input';
import { refuse } from './invalid-input';
import { isObject } from './objects';
import { quote } from './quote';

/**
 * Whole milliseconds of a monotonic clock, for durations, deadlines and pauses; the wall clock can be set back.
 *
 * @example
 * const startedAt = monotonicMs();
 * monotonicMs() - startedAt >= 0 // true
 */
export function monotonicMs(): number {
	return Math.floor(performance.now());
}

/**
 * Milliseconds since 1970 (UTC), for points in time only, such as the time of a submission.
 *
 * @example wallClockMs() > Date.UTC(2020) // true
 */
export function wallClockMs(): number {
	return Date.now();
}

export const SECOND_MS = 1000;

const ISO =
	/^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d(?:\.\d{1,9})?))?)?\s*(Z|[+-]\d\d:?\d\d)?$/i;

/**
 * Parses an ISO time. Without a time zone, it is UTC, regardless of the time zones of the machine and the workflow.
 *
 * @returns milliseconds since 1970; NaN for anything else, including a nonexistent day
 * @example momentOf('2026-11-21T13:28:22') // 1795267702000
 */
export function momentOf(text: string): number {
	const [, date, minutes = '00:00', seconds = '00', offset = 'Z'] = ISO.exec(text) ?? [];
	if (date === undefined) return NaN;
	const clock = Date.parse(`${date}T${minutes}:${seconds}Z`);
	// Some JavaScript engines read February 30 as a day in March.
	const isReal = !Number.isNaN(clock) && new Date(clock).toISOString().startsWith(date);
	return isReal ? Date.parse(`${date}T${minutes}:${seconds}${offset.toUpperCase()}`) : NaN;
}

/**
 * Reads an ISO time (see {@link momentOf}), or a date object from an expression. The times of n8n's date picker have no
 * time zone.
 *
 * @returns milliseconds since 1970
 * @throws InvalidInputError for anything else, including a nonexistent day.
 * @example parseTime('2026-11-21T13:28:22Z', 'since') // 1795267702000
 */
export function parseTime(value: unknown, parameter: Field): number {
	// A Luxon Duration also has milliseconds, but no time zone.
	const isDateTime = isObject(value) && 'toMillis' in value && 'zone' in value;
	const isTime = value instanceof Date || isDateTime;
	const time = isTime ? Number(value) : momentOf(typeof value === 'string' ? value.trim() : '');
	if (!Number.isNaN(time)) return time;
	const hint =
		'Enter a date and time such as 2026-11-21T13:28:22Z, or an expression such as {{ $now.minus({ days: 1 }) }}';
	return refuse(parameter, `${quote(value)} is not a time`, hint);
}
