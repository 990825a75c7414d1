import { spreadOf, type Spread } from './statistics.mts';
import type { Load, Result, Variant } from './variants.mts';
import type { PackageCost } from './package-cost.mts';
import type { ServiceUse } from './services.mts';
import type { WriteCost } from './writes.mts';

/** All measurements of a benchmark. */
export interface Findings {
	results: readonly Result[];
	cost: PackageCost;
	uses: readonly ServiceUse[];
	/** Absent if writes were not measured. */
	writeCost?: WriteCost;
}

/** The benchmark in one line; a value is `null` if its size or latency was not measured. */
export interface Summary {
	/** Speed as a multiple of the HTTP Request node's: 10,000 items, with a latency of 0, 50 and 200 ms. */
	vsHttpRequest10k: number | null;
	vsHttpRequest50: number | null;
	vsHttpRequest200: number | null;
	/** Speed as a multiple of the HTTP Request node's: 1,000 items, with a latency of 0 and 50 ms. */
	vsHttpRequest1k: number | null;
	vsHttpRequest1k50: number | null;
	vsHttpRequest1k200: number | null;
	/** Cost per item with 50,000 items, as a multiple of the cost with 1,000. */
	growth50kVs1k: number | null;
	/** n8n's peak memory, as a multiple of its peak with the HTTP Request node: 10,000 items, no latency. */
	peakMemoryVsHttpRequest: number | null;
	/** Speed as a share of the plain loop's: the largest number of items, with a latency of 50 ms. */
	latency50VsPlainLoop: number | null;
	/** Speed as a share of the speed at the best fixed concurrency; the smallest of all services. */
	leastServiceShare: number | null;
	/** Largest share of refused requests after the run has settled, over all services. */
	mostRefused: number | null;
	/** Another client's speed while the node runs, as a share of its speed without it; the smallest of all services. */
	leastOtherKeeps: number | null;
	/** Speed of writes, as a share of the plain loop's speed. */
	writesVsPlainLoop: number | null;
	packedBytes: number;
	loadMs: number;
}

/** Rounds of one variant under one load, in order; failed runs are left out. */
export function roundsOf(
	results: readonly Result[],
	variant: Variant,
	{ call, items, latency }: Load,
): Result[] {
	return results.filter(
		(result) =>
			result.error === undefined &&
			result.variant === variant &&
			result.call === call &&
			result.items === items &&
			result.latency === latency,
	);
}

/** Spread of a ratio calculated within each round, because the machine's speed drifts between rounds. */
export function ratio(
	above: readonly Result[],
	below: readonly Result[],
	measure: (result: Result) => number,
): Spread | undefined {
	const pairs = above.flatMap((one) => {
		const other = below.find(({ round }) => round === one.round);
		return other === undefined ? [] : [measure(one) / measure(other)];
	});
	return pairs.length === 0 ? undefined : spreadOf(pairs);
}

/** Milliseconds per item. */
export const costPerItem = ({ milliseconds, items }: Result): number => milliseconds / items;

/** Highest resident memory in bytes. */
export const memory = ({ peakMemoryBytes }: Result): number => peakMemoryBytes;

function rounded(value: number | undefined): number | null {
	return value === undefined ? null : Number(value.toFixed(3));
}

/** Condenses the results into one line. */
export function summarize({ results, cost, uses, writeCost }: Findings): Summary {
	const { packedBytes, loadMs } = cost;
	const ofServices = (
		choose: (...values: number[]) => number,
		value: (use: ServiceUse) => number,
	) => (uses.length === 0 ? null : rounded(choose(...uses.map(value))));
	const at = (variant: Variant, items: number, latency = 0) =>
		roundsOf(results, variant, { call: 'balance', items, latency });
	const own = at('walletService', 10_000);
	const http = at('httpRequest', 10_000);
	const vsHttpRequest = (items: number, latency: number) => {
		const [others, ours] = [at('httpRequest', items, latency), at('walletService', items, latency)];
		return rounded(ratio(others, ours, costPerItem)?.median);
	};
	const growth = ratio(at('walletService', 50_000), at('walletService', 1000), costPerItem);
	const sizesWithLatency = results
		.filter(({ latency }) => latency === 50)
		.map(({ items }) => items);
	const most = Math.max(...sizesWithLatency);
	const delayed = at('walletService', most, 50);
	const plain = ratio(at('keepAliveLoop', most, 50), delayed, costPerItem);
	return {
		vsHttpRequest10k: vsHttpRequest(10_000, 0),
		vsHttpRequest50: vsHttpRequest(10_000, 50),
		vsHttpRequest200: vsHttpRequest(10_000, 200),
		vsHttpRequest1k: vsHttpRequest(1000, 0),
		vsHttpRequest1k50: vsHttpRequest(1000, 50),
		vsHttpRequest1k200: vsHttpRequest(1000, 200),
		growth50kVs1k: rounded(growth?.median),
		peakMemoryVsHttpRequest: rounded(ratio(own, http, memory)?.median),
		latency50VsPlainLoop: rounded(plain?.median),
		leastServiceShare: ofServices(Math.min, ({ share }) => share.median),
		mostRefused: ofServices(Math.max, ({ refusedShare }) => refusedShare),
		leastOtherKeeps: ofServices(Math.min, ({ otherKeeps }) => otherKeeps),
		writesVsPlainLoop: rounded(writeCost?.share.median),
		packedBytes,
		loadMs: Math.round(loadMs.median),
	};
}
