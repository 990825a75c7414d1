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

/** ISO 8601, in the extended form or the basic one without separators: `20261121T132822Z`. */
const ISO =
	/^(?<year>\d{4})(?<dash>-?)(?<month>\d\d)\k<dash>(?<day>\d\d)(?:[T ](?<hour>\d\d)(?<colon>:?)(?<minute>\d\d)(?:\k<colon>(?<second>\d\d)(?:[.,](?<fraction>\d{1,9}))?)?)?\s*(?:Z|(?<offset>[+-]\d\d)(?::?(?<offsetMinute>\d\d))?)?$/i;

/**
 * Parses an ISO time. Without a time zone, it is UTC, regardless of the time zones of the machine and the workflow.
 *
 * @returns milliseconds since 1970; NaN for anything else, including a nonexistent day
 * @example momentOf('2026-11-21T13:28:22') // 1795267702000
 * @example momentOf('20261121T142822,5+01') // 1795267702500
 */
export function momentOf(text: string): number {
	const { year, dash, month, day, hour, ...rest } = ISO.exec(text)?.groups ?? {};
	const { minute = '00', second = '00', fraction = '0', offset, offsetMinute } = rest;
	// Without a time, eight digits can be any number, and two more an hour.
	const isUnclear =
		hour === undefined && (dash === '' || (offset !== undefined && offsetMinute === undefined));
	if (year === undefined || isUnclear) return NaN;
	const date = `${year}-${month}-${day}`;
	const time = `${date}T${hour ?? '00'}:${minute}:${second}.${fraction}`;
	const clock = Date.parse(`${time}Z`);
	// Some JavaScript engines read February 30 as a day in March.
	const isReal = !Number.isNaN(clock) && new Date(clock).toISOString().startsWith(date);
	return isReal ? Date.parse(`${time}${offset ?? '+00'}:${offsetMinute ?? '00'}`) : NaN;
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
