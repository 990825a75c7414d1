import { SECOND_MS, wallClockMs } from '../../values/clock';

/** Bound of the first back-off; it doubles with each attempt. */
const BASE_MS = 500;
const MAX_MS = 30_000;
/** Maximum wait that a `Retry-After` header can cause, so that a run does not hang. */
const MAX_RETRY_AFTER_MS = 120_000;

/** Digits, as in RFC 9110; a decimal fraction is also accepted. */
const SECONDS = /^\d+(?:\.\d+)?$/;

/** Parses an HTTP date (IMF-fixdate; RFC 9110, section 5.6.7); `NaN` for anything else. */
function dateOf(text: string): number {
	const time = Date.parse(text);
	// `Date.parse` alone reads `-1` and `soon 5` as days of the year 2001.
	return new Date(time).toUTCString() === text ? time : NaN;
}

/**
 * The pause before the next attempt, in milliseconds: the longer of the service's `Retry-After` and an exponential
 * back-off. Full jitter (uniform between 0 and the bound) spreads out the retries of many items.
 *
 * @param tries number of attempts made so far, from 1
 * @param retryAfter result of `retryAfterMs`
 * @param random number from 0 to below 1
 * @example pauseMs(3, undefined, 0.5) // 1000
 */
export function pauseMs(tries: number, retryAfter = 0, random = Math.random()): number {
	const bound = Math.min(MAX_MS, BASE_MS * 2 ** (tries - 1));
	return Math.max(retryAfter, Math.round(random * bound));
}

/**
 * Reads the pause that a `Retry-After` header requests in seconds or as a date (RFC 9110, section 10.2.3), in milliseconds
 * and capped. A date is compared with the service's own `Date` header, so clock skew has no effect.
 *
 * @param now in milliseconds since 1970
 * @returns 0 for a date in the past; `undefined` if the header is missing, or neither seconds nor such a date
 * @example retryAfterMs({ 'retry-after': '3' }) // 3000
 */
export function retryAfterMs(
	headers: Readonly<Record<string, unknown>>,
	now: number = wallClockMs(),
): number | undefined {
	const value = headers['retry-after'];
	if (typeof value !== 'string' && typeof value !== 'number') return undefined;
	const text = String(value).trim();
	if (SECONDS.test(text)) return Math.min(Number(text) * SECOND_MS, MAX_RETRY_AFTER_MS);
	const until = dateOf(text);
	if (Number.isNaN(until)) return undefined;
	const serverNow = dateOf(String(headers.date ?? '').trim()) || now;
	return Math.min(Math.max(until - serverNow, 0), MAX_RETRY_AFTER_MS);
}
