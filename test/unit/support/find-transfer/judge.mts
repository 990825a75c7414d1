/** Finds faults in the output of Find Transfer by the lists of the service. Shares no code with the node. */
import type { Given, Listed } from './simulated-chain.mts';

export interface Asked {
	readonly by: 'hash' | 'content';
	readonly hash: string;
	readonly token: string;
	readonly to: string;
	readonly units: bigint;
	/** In milliseconds; absent if the item has none. */
	readonly since?: number;
}

export interface Outcome {
	readonly asked: Asked;
	readonly json: Readonly<Record<string, unknown>>;
	readonly endedAt: number;
}

const SECOND = 1000;
const TOLERANCE = 120 * SECOND;

function isLike({ token, to, units, since = 0 }: Asked, listed: Listed): boolean {
	const isSame = listed.token === token && listed.to === to && listed.units === units;
	return isSame && listed.time + SECOND > since;
}

function* faultsOf(
	{ asked, json }: Outcome,
	given: readonly Given[],
	all: readonly Outcome[],
): Generator<string> {
	const last = given.at(-1);
	if (last === undefined) return yield 'not checked';
	const lists = given.flatMap(({ listed }) => listed);
	const isFitting = (listed: Listed) =>
		asked.by === 'hash' ? listed.hash === asked.hash : isLike(asked, listed);
	if (json.seen === true) {
		const found = lists.some((listed) => listed.hash === json.hash && isFitting(listed));
		if (json.matchedBy !== asked.by || !found) yield 'seen, but not listed';
	} else {
		const matched = all.filter((one) => one.json.matchedBy === 'content');
		const used = matched.map((one) => one.json.hash);
		const free = (asked.by === 'hash' ? lists : last.listed).filter(isFitting);
		if (free.some(({ hash }) => !used.includes(hash))) yield 'not seen, but listed and free';
	}
	const { since } = asked;
	const older = last.listed.some(({ time }) => since !== undefined && time < since - TOLERANCE);
	if (since === undefined ? json.windowCovers !== undefined : json.windowCovers !== older) {
		yield 'the window is described wrongly';
	}
	// Even with a clock error of two minutes, nothing after the submission may be missing.
	const missing = last.whole.filter((one) => !last.listed.includes(one));
	if (json.windowCovers === true && missing.some(({ time }) => time >= (since ?? 0) - TOLERANCE)) {
		yield 'the window does not reach back far enough';
	}
}

/** @param startedAt time of the first check */
export function findFaults(
	outcomes: readonly Outcome[],
	given: readonly Given[],
	startedAt: number,
): string[] {
	const faults = outcomes.flatMap((outcome, item) => {
		const looked = given.filter(({ at }) => at >= startedAt && at <= outcome.endedAt);
		return [...faultsOf(outcome, looked, outcomes)].map((fault) => `item ${item}: ${fault}`);
	});
	const served = outcomes.map(({ json }) => json).filter(({ seen }) => seen === true);
	for (const { hash, matchedBy } of served) {
		const others = served.filter((one) => one.hash === hash);
		if (matchedBy === 'content' && others.length > 1)
			faults.push(`One transfer was output by ${others.length} items: ${hash}`);
	}
	return faults;
}
