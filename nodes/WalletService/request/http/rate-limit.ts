import { parseList } from 'structured-headers';

import { MAX_RETRY_AFTER_MS } from './backoff';

/** What a service says about the requests that it still lets through. */
export interface RateLimit {
	/** Requests that are left. */
	readonly remaining: number;
	/** Time until there are more, in milliseconds. */
	readonly resetMs: number;
}

/** How many requests a service lets through within a time. */
export interface RatePolicy {
	readonly requests: number;
	readonly windowMs: number;
}

/** What an answer says of the limits of its service. */
export interface RateLimits {
	/** Of several, the one of which the least is left. */
	readonly limit: RateLimit | undefined;
	readonly policies: readonly RatePolicy[];
}

/** A member of a list: the name of a policy, and what is said of it. */
type Member = readonly [name: unknown, parameters: ReadonlyMap<string, unknown>];

function membersOf(field: unknown): Member[] {
	if (typeof field !== 'string') return [];
	try {
		return parseList(field);
	} catch {
		return [];
	}
}

/** A whole number from 0, or nothing. */
function countOf(value: unknown): number | undefined {
	return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined;
}

/** Milliseconds, if they are no longer than is waited for. */
function timeOf(seconds: unknown): number | undefined {
	const milliseconds = (countOf(seconds) ?? Infinity) * 1000;
	return milliseconds <= MAX_RETRY_AFTER_MS ? milliseconds : undefined;
}

/** By name; none that counts bytes, or requests at the same time. */
function policiesIn(field: unknown): Map<unknown, RatePolicy> {
	const policies = new Map<unknown, RatePolicy>();
	for (const [name, parameters] of membersOf(field)) {
		const requests = countOf(parameters.get('q')) ?? 0;
		const windowMs = timeOf(parameters.get('w'));
		if ((parameters.get('qu') ?? 'requests') !== 'requests') continue;
		if (requests > 0 && windowMs !== undefined) policies.set(name, { requests, windowMs });
	}
	return policies;
}

/**
 * The fields `RateLimit` and `RateLimit-Policy` of an answer (draft-ietf-httpapi-ratelimit-headers-10, sections 3 and 4). A
 * limit without a time has that of its policy. What is over a longer time than that for which `Retry-After` is waited is left
 * to the service, and so is what does not say its time, or is not written as in this draft.
 *
 * @example
 * rateLimitsOf({ ratelimit: '"minute";r=3;t=20', 'ratelimit-policy': '"minute";q=100;w=60' })
 * // { limit: { remaining: 3, resetMs: 20000 }, policies: [{ requests: 100, windowMs: 60000 }] }
 */
export function rateLimitsOf(headers: Readonly<Record<string, unknown>>): RateLimits {
	const policies = policiesIn(headers['ratelimit-policy']);
	let limit: RateLimit | undefined;
	for (const [name, parameters] of membersOf(headers.ratelimit)) {
		const remaining = countOf(parameters.get('r'));
		const resetMs = parameters.has('t')
			? timeOf(parameters.get('t'))
			: policies.get(name)?.windowMs;
		if (remaining === undefined || resetMs === undefined) continue;
		if (limit === undefined || remaining < limit.remaining) limit = { remaining, resetMs };
	}
	return { limit, policies: [...policies.values()] };
}
