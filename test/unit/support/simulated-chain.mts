/** A chain with a known future, a service with every fault, and a check of Find Transfer; it shares no code with the node. */
import fc from 'fast-check';

export const START = Date.UTC(2026, 10, 21, 12);
export const TOKENS = [`0x${'a1'.repeat(20)}`, `0x${'b2'.repeat(20)}`] as const;
export const WALLETS = [`0x${'c3'.repeat(20)}`, `0x${'d4'.repeat(20)}`] as const;
const BLOCK_MS = 2000;

const seconds = (max: number) => fc.integer({ min: 0, max: max * 1000 });

/** A write and its fate. Few tokens, wallets and amounts, so that equal payments are common. */
export const write = fc.record({
	fate: fc.oneof(
		{ weight: 3, arbitrary: fc.constant('mined') },
		{ weight: 4, arbitrary: fc.constantFrom('reverted', 'dropped', 'replaced', 'reorganised') },
	),
	token: fc.constantFrom(...TOKENS),
	to: fc.constantFrom(...WALLETS),
	units: fc.constantFrom(1n, 12_500_000n),
	/** Time from its submission to the first check, in milliseconds. */
	submittedBefore: seconds(400),
	minedAfter: seconds(60),
	/** Time from its block until the service lists it. */
	lag: fc.oneof(fc.constant(0), seconds(20)),
	/** Time from its block until the block is undone. */
	undoneAfter: seconds(30),
});
export type Write = typeof write extends fc.Arbitrary<infer T> ? T : never;

interface Listed {
	readonly hash: string;
	readonly token: string;
	readonly to: string;
	readonly units: bigint;
	/** Time of its block, in milliseconds. */
	readonly time: number;
}

interface Given {
	readonly at: number;
	/** The listed transfers, newest first. */
	readonly listed: readonly Listed[];
	/** The list without its size limit. */
	readonly whole: readonly Listed[];
}

const hashOf = (number: number): string => `0x${number.toString(16).padStart(64, '0')}`;
const REPLACED = 1_000_000;

/** The hash returned for a write. */
export const submittedHash = (number: number): string => hashOf(number + 1);

const blockAt = (time: number): number => Math.ceil(time / BLOCK_MS) * BLOCK_MS;

/** @param settings the most transfers that the service lists, and the time that it takes */
export function simulateChain(
	writes: readonly Write[],
	settings: { readonly window: number; readonly latencyMs: number },
) {
	const given: Given[] = [];

	const listedAt = (now: number): Listed[] =>
		writes
			.flatMap(({ fate, token, to, units, ...write }, number) => {
				const time = blockAt(START - write.submittedBefore + write.minedAfter);
				const isGone = fate === 'reorganised' && now >= time + write.undoneAfter;
				const never = fate === 'reverted' || fate === 'dropped' || isGone;
				if (never || now < time + write.lag) return [];
				const hash = fate === 'replaced' ? hashOf(REPLACED + number) : submittedHash(number);
				return [{ hash, token, to, units, time }];
			})
			.sort((one, other) => other.time - one.time);

	/** The sending wallet's history, as JSON in the format of the interface. */
	async function history(): Promise<unknown> {
		await new Promise((resolve) => setTimeout(resolve, settings.latencyMs));
		const at = Date.now();
		const whole = listedAt(at);
		const listed = whole.slice(0, settings.window);
		given.push({ at, listed, whole });
		return listed.map(({ hash, token, to, units, time }) => ({
			type: 'TRANSFER',
			to: { username: 'Rahul', platform: 'GOOGLE', address: to },
			amount: {
				valueBn: { type: 'BigNumber', hex: `0x${units.toString(16)}` },
				formatted: 0,
				decimals: 6,
				symbol: 'SUSD',
				tokenAddress: token.toUpperCase().replace('X', 'x'),
			},
			timestamp: new Date(time).toISOString(),
			hash,
			explorerUrl: '',
		}));
	}

	return { given: given as readonly Given[], history };
}

export interface Asked {
	readonly by: 'hash' | 'content';
	readonly hash: string;
	readonly token: string;
	readonly to: string;
	readonly units: bigint;
	/** Submission time in milliseconds; absent if the item does not state it. */
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
