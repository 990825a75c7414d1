import { MAX_RETRY_AFTER_MS } from './backoff';

/** What a service says about the requests that it still lets through. */
export interface RateLimit {
	/** Requests that are left. */
	readonly remaining: number;
	/** Time until there are more, in milliseconds. */
	readonly resetMs: number;
}

/** Whole numbers of the parameters `r` and `t` (RFC 9651, section 3.3.1). */
const PARAMETER = /;\s*(?<name>[rt])=(?<number>\d{1,15})(?![\d.])/g;

/** Texts in quotes, which name a policy and may contain anything. */
const QUOTED = /"(?:[^"\\]|\\.)*"/g;

function limitOf(item: string): RateLimit[] {
	const numbers = new Map<string | undefined, number>();
	for (const { groups } of item.matchAll(PARAMETER)) {
		numbers.set(groups?.name, Number(groups?.number));
	}
	const remaining = numbers.get('r');
	const seconds = numbers.get('t');
	if (remaining === undefined || seconds === undefined) return [];
	const resetMs = seconds * 1000;
	return resetMs > MAX_RETRY_AFTER_MS ? [] : [{ remaining, resetMs }];
}

/**
 * The `RateLimit` field of an answer (draft-ietf-httpapi-ratelimit-headers-10, section 4.1): of several limits, the one of
 * which the least is left. The time is capped as that of `Retry-After` is.
 *
 * @returns `undefined` if the field is missing, is none of this draft, or does not say when there are more
 * @example rateLimitOf({ ratelimit: '"minute";r=3;t=20' }) // { remaining: 3, resetMs: 20000 }
 */
export function rateLimitOf(headers: Readonly<Record<string, unknown>>): RateLimit | undefined {
	const { ratelimit } = headers;
	if (typeof ratelimit !== 'string') return undefined;
	const limits = ratelimit.replaceAll(QUOTED, '').split(',').flatMap(limitOf);
	return limits.reduce<RateLimit | undefined>(
		(least, one) => (least !== undefined && least.remaining <= one.remaining ? least : one),
		undefined,
	);
}
