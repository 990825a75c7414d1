import type { Spread } from './statistics.mts';
import { spreadOf } from './statistics.mts';
import type { Load, Result, Variant } from './variants.mts';
import { CONCURRENCY } from './variants.mts';
import type { PackageCost } from './package-cost.mts';

/** The benchmark in one line. `null` stands where the sizes or latencies that it needs were not run. */
export interface Summary {
	/** How many times as fast as the HTTP Request node: 10,000 items, no latency. */
	vsHttpRequest10k: number | null;
	/** Cost per item at 50,000 items, as a multiple of that at 1,000. */
	growth50kVs1k: number | null;
	/** Peak memory of n8n, as a multiple of that with the HTTP Request node: 10,000 items, no latency. */
	peakMemoryVsHttpRequest: number | null;
	/** Share of the speed that ten requests in flight allow, at 50 ms latency and the most items that were run. */
	latency50Efficiency: number | null;
	/** The same as a share of what the plain loop reaches with ten in flight, network and its own work included. */
	latency50VsPlainLoop: number | null;
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

/** Spread of a ratio that is taken within each round, because the machine's speed drifts between rounds. */
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

/** Share of the speed that is possible with a service that takes `latency` for each answer and ten requests in flight. */
export function efficiency({ items, latency, milliseconds }: Result): number {
	return (Math.ceil(items / CONCURRENCY) * latency) / milliseconds;
}

function rounded(value: number | undefined): number | null {
	return value === undefined ? null : Number(value.toFixed(3));
}

/** Condenses the results into one line. */
export function summarize(
	results: readonly Result[],
	{ packedBytes, loadMs }: PackageCost,
): Summary {
	const at = (variant: Variant, items: number, latency = 0) =>
		roundsOf(results, variant, { call: 'balance', items, latency });
	const own = at('walletService', 10_000);
	const http = at('httpRequest', 10_000);
	const growth = ratio(at('walletService', 50_000), at('walletService', 1000), costPerItem);
	const sizesWithLatency = results
		.filter(({ latency }) => latency === 50)
		.map(({ items }) => items);
	const most = Math.max(...sizesWithLatency);
	const delayed = at('walletService', most, 50);
	const plain = ratio(at('keepAliveLoop', most, 50), delayed, costPerItem);
	return {
		vsHttpRequest10k: rounded(ratio(http, own, costPerItem)?.median),
		growth50kVs1k: rounded(growth?.median),
		peakMemoryVsHttpRequest: rounded(ratio(own, http, memory)?.median),
		latency50Efficiency:
			delayed.length === 0 ? null : rounded(spreadOf(delayed.map(efficiency)).median),
		latency50VsPlainLoop: rounded(plain?.median),
		packedBytes,
		loadMs: Math.round(loadMs.median),
	};
}
