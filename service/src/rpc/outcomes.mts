/** What several endpoints say about one thing. */
import { setTimeout } from 'node:timers/promises';
import type { Endpoint } from './endpoint.mts';
import { ContractRefusal } from './failures.mts';
import { isStale } from './heads.mts';
import { commonRevertData } from './revert-data.mts';

/** A usable answer of an endpoint, or the contract's refusal. */
export type Outcome<T> = {
	endpoint: Endpoint;
} & ({ answer: T; refusal: undefined } | { refusal: ContractRefusal });

/** An outcome that all endpoints share that answer, or enough of them. */
export type Agreement<T> = Outcome<T> & {
	/** Whether as many share it as must agree; otherwise others are silent, and may say something else a moment later. */
	isCertain: boolean;
};

/** Time for the others once one endpoint has answered, in milliseconds: a slow one must not hold up every request. */
const PATIENCE_MS = 2_000;

/** The outcomes that arrive soon after the first one, in the order of the requests. */
export async function outcomesOf<T>(
	asked: readonly Promise<Outcome<T> | undefined>[],
): Promise<Outcome<T>[]> {
	const arrived = new Map<number, Outcome<T>>();
	const isOver = new AbortController();
	const { promise: first, resolve: begin } = Promise.withResolvers<undefined>();
	const all = Promise.all(
		asked.map(async (one, place) => {
			const outcome = await one;
			if (outcome === undefined) return;
			arrived.set(place, outcome);
			begin(undefined);
		}),
	);
	const patience = first.then(async () => {
		await setTimeout(PATIENCE_MS, undefined, { signal: isOver.signal }).catch(() => undefined);
	});
	await Promise.race([all, patience]);
	isOver.abort();
	// A late failure of this kind would be one of the program: nobody waits for it.
	all.catch(() => undefined);
	return [...arrived].sort(([a], [b]) => a - b).map(([, outcome]) => outcome);
}

/** A form in which equal outcomes are equal. Why a contract refuses is reported in many forms. */
function formOf<T>(outcome: Outcome<T>): string {
	if (outcome.refusal) return 'refusal';
	return JSON.stringify([outcome.answer], (_name, one: unknown) =>
		typeof one === 'bigint' ? `${one}n` : one,
	);
}

/** The outcomes that count: of endpoints that answer by an old state, only if no other one answers. */
export function countedOf<T>(outcomes: readonly Outcome<T>[]): readonly Outcome<T>[] {
	const heads = outcomes.map(({ endpoint }) => endpoint.head);
	const newest = heads.reduce((most, head) => (head > most ? head : most), 0n);
	const counted = outcomes.filter(({ endpoint }) => !isStale(endpoint, newest));
	return counted.length > 0 ? counted : outcomes;
}

/**
 * The outcome that enough endpoints share, or all that answer. Those that answer by an old state count only if no other does.
 *
 * @param quorum number of endpoints that suffice
 * @returns it, and whether enough endpoints share it; undefined if they disagree
 */
export function agreement<T>(
	outcomes: readonly Outcome<T>[],
	quorum: number,
): Agreement<T> | undefined {
	const groups = [...Map.groupBy(countedOf(outcomes), formOf).values()].sort(
		(a, b) => b.length - a.length,
	);
	const [most = []] = groups;
	const isEnough = groups.length === 1 || (most.length >= quorum && quorum > 1);
	if (!isEnough) return undefined;
	const [first] = most;
	if (!first) return undefined;
	const isCertain = most.length >= quorum;
	const data = commonRevertData(most.map(({ refusal }) => refusal?.data));
	// What is too long has no data to share.
	const isOwn = !first.refusal || data === first.refusal.data;
	return isOwn
		? { ...first, isCertain }
		: { endpoint: first.endpoint, refusal: new ContractRefusal(data), isCertain };
}
