import { cpus, totalmem } from 'node:os';
import { createRequire } from 'node:module';
import { readObject } from '../tools/files/json.mts';
import { n8nProgram } from '../tools/n8n/program.mts';
import { costPerItem, memory, ratio, roundsOf } from './comparison.mts';
import type { PackageCost } from './package-cost.mts';
import type { Spread } from './statistics.mts';
import { spreadOf } from './statistics.mts';
import type { Load, Result, Variant } from './variants.mts';
import { VARIANTS } from './variants.mts';

const TITLES: Record<Variant, string> = {
	walletService: 'Wallet Service',
	httpRequest: 'HTTP Request',
	keepAliveLoop: 'plain keep-alive loop',
};

const MEBIBYTE = 1024 * 1024;

const show = ({ min, median, max }: Spread, digits = 2): string =>
	`${median.toFixed(digits)} (${min.toFixed(digits)} to ${max.toFixed(digits)})`;

function row(results: readonly Result[], variant: Variant, load: Load): string {
	const rounds = roundsOf(results, variant, load);
	const failure = results.find(
		({ error, ...result }) =>
			error !== undefined &&
			result.variant === variant &&
			result.items === load.items &&
			result.latency === load.latency,
	);
	if (rounds.length === 0) return `| ${TITLES[variant]} | failed: ${failure?.error} ||||||`;
	const http = roundsOf(results, 'httpRequest', load);
	const speed = ratio(http, rounds, costPerItem);
	const memoryRatio = ratio(rounds, http, memory);
	const cells = [
		TITLES[variant],
		spreadOf(rounds.map((result) => 1000 / costPerItem(result))).median.toFixed(0),
		show(spreadOf(rounds.map(costPerItem)), 3),
		speed === undefined ? '' : show(speed),
		(spreadOf(rounds.map(memory)).median / MEBIBYTE).toFixed(0),
		memoryRatio === undefined ? '' : show(memoryRatio),
		String(Math.max(...rounds.map(({ mostInFlight }) => mostInFlight))),
	];
	return `| ${cells.join(' | ')} |`;
}

function table(results: readonly Result[], load: Load): string {
	const what = load.call === 'balance' ? 'native balance' : 'contract read';
	return [
		`#### ${load.items.toLocaleString('en')} items, ${load.latency} ms latency, ${what}`,
		'',
		'| variant | items/s | ms per item | times as fast as HTTP Request | peak memory (MiB) | memory, multiple of HTTP Request | most in flight |',
		'| --- | --- | --- | --- | --- | --- | --- |',
		...VARIANTS.map((variant) => row(results, variant, load)),
	].join('\n');
}

/** The machine in one line: nothing that names it. */
function machine(): string {
	const { version } = readObject(createRequire(n8nProgram)('../package.json'), 'the manifest');
	const [cpu] = cpus();
	const memoryGib = Math.round(totalmem() / MEBIBYTE / 1024);
	return `${cpus().length} cores (${cpu?.model.trim()}), ${memoryGib} GiB memory, ${process.platform}, Node.js ${process.versions.node}, n8n ${String(version)}`;
}

/** All results as Markdown. Cells show the median over the rounds, and smallest to largest in brackets. */
export function describeResults(
	results: readonly Result[],
	loads: readonly Load[],
	{ packedBytes, loadMs }: PackageCost,
): string {
	return [
		`Machine: ${machine()}.`,
		`Package: ${packedBytes} bytes packed; n8n loads it in ${show(loadMs, 0)} ms.`,
		...loads.map((load) => table(results, load)),
	].join('\n\n');
}
