import { parseHttpDate } from '../../values/http-date';

const BASE_MS = 500;
const MAX_MS = 30_000;
/** Longest `Retry-After` that is waited for; a service that asks for more gets an error instead of a hanging run. */
const MAX_RETRY_AFTER_MS = 120_000;

/** Digits, as RFC 9110 has it; a decimal fraction is tolerated. */
const SECONDS = /^\d+(?:\.\d+)?$/;

/**
 * The back-off before the next try: exponential with full jitter, any length up to the bound being equally likely, so
 * that many items do not come back at the same moment.
 *
 * @param tries number of tries made so far, from 1
 * @param random number from 0 to below 1
 */
export function backOffMs(tries: number, random: number = Math.random()): number {
	return Math.round(random * Math.min(MAX_MS, BASE_MS * 2 ** (tries - 1)));
}

/**
 * The pause before the next try, in milliseconds: what the service asks for, but never less than the back-off. A service
 * whose `Retry-After` is 0, or a date gone by, would otherwise get all tries at once.
 *
 * @param tries number of tries made so far, from 1
 * @param retryAfter what `retryAfterMs` gives
 * @param random number from 0 to below 1
 * @example pauseMs(1, 3000) // 3000
 * @example pauseMs(1, 0, 0.5) // 250
 */
export function pauseMs(tries: number, retryAfter: number | undefined, random?: number): number {
	return Math.max(retryAfter ?? 0, backOffMs(tries, random));
}

/**
 * The pause that a `Retry-After` header asks for, in milliseconds and capped: seconds, or an HTTP date (RFC 9110, section
 * 10.2.3). A date is measured against the service's own `Date` header, so that a clock that is off does no harm.
 *
 * @returns 0 for a date gone by; `undefined` when the header is missing, or neither seconds nor an HTTP date
 */
export function retryAfterMs(
	headers: Readonly<Record<string, unknown>>,
	now: number = Date.now(),
): number | undefined {
	const value = headers['retry-after'];
	if (typeof value !== 'string' && typeof value !== 'number') return undefined;
	const text = String(value).trim();
	if (SECONDS.test(text)) return Math.min(Number(text) * 1000, MAX_RETRY_AFTER_MS);
	const until = parseHttpDate(text, now);
	if (until === undefined) return undefined;
	const serverNow = parseHttpDate(String(headers.date ?? '').trim(), now) ?? now;
	return Math.min(Math.max(until - serverNow, 0), MAX_RETRY_AFTER_MS);
}
