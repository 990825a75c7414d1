/** Finds faults in the output of Find Transfer from what the service listed. Shares no code with the node. */
import type { Given, Listed } from './simulated-chain.mts';

/** The parameters of an item. */
export interface Asked {
	readonly by: 'hash' | 'content';
	readonly hash: string;
	readonly token: string;
	readonly to: string;
	readonly units: bigint;
	/** In milliseconds; absent if the item has none. */
	readonly since?: number;
}

/** Its output, and when. */
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

/** Whether any answer lists the hash of an item. */
function hashWasListed(asked: Asked, given: readonly Given[]): boolean {
	return given.some(({ listed }) => listed.some(({ hash }) => hash === asked.hash));
}

function* faultsOf(
	{ asked, json }: Outcome,
	given: readonly Given[],
	all: readonly Outcome[],
): Generator<string> {
	const last = given.at(-1);
	if (last === undefined) return yield 'nobody looked';
	const lists = given.flatMap(({ listed }) => listed);
	if (json.seen === true) {
		const isReal =
			json.matchedBy === 'hash'
				? asked.by === 'hash' && json.hash === asked.hash && hashWasListed(asked, given)
				: asked.by === 'content' &&
					lists.some((listed) => listed.hash === json.hash && isLike(asked, listed));
		if (!isReal) yield 'seen, and was not listed';
	} else {
		if (asked.by === 'hash' && hashWasListed(asked, given))
			yield 'not seen, and its hash was listed';
		if (asked.by === 'content') {
			const used = all
				.filter(({ json: { matchedBy } }) => matchedBy === 'content')
				.map(({ json: { hash } }) => hash);
			const free = last.listed.filter(
				(listed) => isLike(asked, listed) && !used.includes(listed.hash),
			);
			if (free.length > 0) yield 'not seen, and one that fits was listed and served nobody';
		}
	}
	const { since } = asked;
	const older = last.listed.some(({ time }) => since !== undefined && time < since - TOLERANCE);
	if (since === undefined ? json.windowCovers !== undefined : json.windowCovers !== older) {
		yield 'the window is not described as it was';
	}
	// Even with a clock error of two minutes, nothing after the submission may be missing.
	const missing = last.whole.filter((one) => !last.listed.includes(one));
	if (json.windowCovers === true && missing.some(({ time }) => time >= (since ?? 0) - TOLERANCE)) {
		yield 'the window does not reach back';
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
		if (matchedBy !== 'content') continue;
		const others = served.filter((one) => one.hash === hash);
		if (others.length > 1) faults.push(`one transfer served ${others.length} items: ${hash}`);
	}
	return faults;
}
