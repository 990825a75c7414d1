/** What the heads of the endpoints say together. */
import type { Endpoint } from './endpoint.mts';

/** Period after which an endpoint that does not answer has no say any more, in milliseconds. */
const SILENT_MS = 600_000;

/** Period in which an endpoint is asked last after it lacked what another one has, in milliseconds. */
const LACKING_MS = 60_000;

/** Time that endpoints need at most to follow each other, in milliseconds. */
const LONG_MS = 20_000;

/** Age of the head after which an endpoint does not follow the chain, in milliseconds. */
const STALE_MS = 60_000;

/** Number of blocks by which endpoints that follow the chain may differ. */
export const MAX_LAG = 50n;

/** Maximum number of endpoints that must agree. */
const MOST = 2;

const newestFirst = (heads: readonly bigint[]): bigint[] =>
	heads.toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0));

/** Those that have a say: one that was asked for ten minutes without an answer has none. */
function withSay(endpoints: readonly Endpoint[]): Endpoint[] {
	const since = performance.now() - SILENT_MS;
	return endpoints.filter(({ answeredAt }) => answeredAt > since);
}

/** Number of endpoints that must agree. */
export const quorumOf = (endpoints: readonly Endpoint[]): number =>
	Math.max(1, Math.min(MOST, withSay(endpoints).length));

/** Newest block that as many endpoints have as must agree. */
export const sharedHeadOf = (endpoints: readonly Endpoint[], quorum: number): bigint =>
	newestFirst(withSay(endpoints).map(({ head }) => head)).at(quorum - 1) ?? 0n;

/** Whether an endpoint lacked within the last minute what another one has. */
export const isLacking = ({ lackedAt }: Endpoint): boolean =>
	performance.now() - lackedAt < LACKING_MS;

/** Whether that has been so for longer than endpoints need to follow each other. */
export const isLackingLong = (endpoint: Endpoint): boolean =>
	isLacking(endpoint) && performance.now() - (endpoint.lackingSince ?? Infinity) > LONG_MS;

/**
 * Whether an endpoint answers by an old state: it did within the last minute, or it does not follow the chain any more.
 *
 * @param newest newest block of all that answer
 */
export function isStale({ staleAt, head, changedAt }: Endpoint, newest: bigint): boolean {
	const now = performance.now();
	return now - staleAt < LACKING_MS || (head + MAX_LAG < newest && now - changedAt > STALE_MS);
}

/** Notes that an endpoint has, or lacks, what another one has. */
export function noteWhether(endpoint: Endpoint, hasIt: boolean): void {
	if (hasIt) endpoint.lackingSince = undefined;
	else {
		endpoint.lackedAt = performance.now();
		endpoint.lackingSince ??= endpoint.lackedAt;
	}
}

/** The newest block that can be: a little above the one that a second endpoint has that follows the chain. */
export function boundOf(endpoints: readonly Endpoint[]): bigint {
	const since = performance.now() - STALE_MS;
	const following = endpoints.filter(({ isAnswering, changedAt }) => {
		return isAnswering && changedAt > since;
	});
	const [newest = 0n] = newestFirst(endpoints.map(({ head }) => head));
	const [, second = newest] = newestFirst(following.map(({ head }) => head));
	const bound = second + MAX_LAG;
	return bound < newest + MAX_LAG ? bound : newest + MAX_LAG;
}
