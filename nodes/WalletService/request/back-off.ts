const BASE_MS = 500;
const MAX_MS = 30_000;
/** Longest `Retry-After` that is waited for; a service that asks for more gets an error instead of a hanging run. */
const MAX_RETRY_AFTER_MS = 120_000;

/**
 * The pause before the next try: exponential with full jitter, any length up to the bound being equally likely, so
 * that many items do not come back at the same moment.
 *
 * @param tries number of tries made so far, from 1
 * @param random number from 0 to below 1
 */
export function backOffMs(tries: number, random: number = Math.random()): number {
	return Math.round(random * Math.min(MAX_MS, BASE_MS * 2 ** (tries - 1)));
}

/**
 * The pause that a `Retry-After` header asks for, in milliseconds and capped: seconds, or a date (RFC 9110, section
 * 10.2.3). A date is measured against the service's own `Date` header, so that a clock that is off does no harm.
 *
 * @returns `undefined` when the header is missing or unreadable
 */
export function retryAfterMs(
	headers: Readonly<Record<string, unknown>>,
	now: number = Date.now(),
): number | undefined {
	const value = headers['retry-after'];
	if (typeof value !== 'string' && typeof value !== 'number') return undefined;
	const text = String(value).trim();
	if (/^\d+(\.\d+)?$/.test(text)) return Math.min(Number(text) * 1000, MAX_RETRY_AFTER_MS);
	const until = Date.parse(text);
	if (Number.isNaN(until)) return undefined;
	const serverNow = Date.parse(String(headers.date ?? ''));
	const wait = until - (Number.isNaN(serverNow) ? now : serverNow);
	return Math.min(Math.max(wait, 0), MAX_RETRY_AFTER_MS);
}
