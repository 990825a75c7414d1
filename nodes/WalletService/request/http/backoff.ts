import { wallClockMs } from '../../values/clock';

const BASE_MS = 500;
const MAX_MS = 30_000;
/** Longest `Retry-After` that is honored; a longer one is cut to it, so that a run does not hang. */
export const MAX_RETRY_AFTER_MS = 120_000;

/** Digits, as in RFC 9110; a decimal fraction is tolerated. */
const SECONDS = /^\d+(?:\.\d+)?$/;

/** The time of a date as servers send it (RFC 9110, section 5.6.7, IMF-fixdate); `NaN` for anything else. */
function timeOf(text: string): number {
	const time = Date.parse(text);
	// `Date.parse` alone reads `-1` and `soon 5` as days of the year 2001.
	return new Date(time).toUTCString() === text ? time : NaN;
}

/**
 * The back-off before the next try, in milliseconds: exponential with full jitter, that is, uniform between 0 and the bound,
 * so that many items do not retry at the same moment.
 *
 * @param tries number of tries made so far, from 1
 * @param random number from 0 to below 1
 * @example backOffMs(3, 0.5) // 1000
 */
export function backOffMs(tries: number, random: number = Math.random()): number {
	return Math.round(random * Math.min(MAX_MS, BASE_MS * 2 ** (tries - 1)));
}

/**
 * The pause before the next try, in milliseconds: what the service asks for, but never less than the back-off. A service
 * whose `Retry-After` is 0, or a date in the past, would otherwise get all tries at once.
 *
 * @param tries number of tries made so far, from 1
 * @param retryAfter result of `retryAfterMs`
 * @param random number from 0 to below 1
 * @example pauseMs(1, 3000) // 3000
 * @example pauseMs(1, 0, 0.5) // 250
 */
export function pauseMs(tries: number, retryAfter: number | undefined, random?: number): number {
	return Math.max(retryAfter ?? 0, backOffMs(tries, random));
}

/**
 * The pause that a `Retry-After` header asks for, in milliseconds and capped: seconds, or a date (RFC 9110, section
 * 10.2.3). A date is compared with the service's own `Date` header, so that clock skew does no harm.
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
	if (SECONDS.test(text)) return Math.min(Number(text) * 1000, MAX_RETRY_AFTER_MS);
	const until = timeOf(text);
	if (Number.isNaN(until)) return undefined;
	const serverNow = timeOf(String(headers.date ?? '').trim()) || now;
	return Math.min(Math.max(until - serverNow, 0), MAX_RETRY_AFTER_MS);
}
