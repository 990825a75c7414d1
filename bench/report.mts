import { cpus, totalmem } from 'node:os';
import { createRequire } from 'node:module';
import { readObject } from '../tools/files/json.mts';
import { n8nProgram } from '../tools/n8n/program.mts';
import { costPerItem, memory, ratio, roundsOf, type Findings } from './comparison.mts';
import { SERVICE_PROFILES } from './service-profiles.mts';
import type { ServiceUse } from './services.mts';
import { spreadOf, type Spread } from './statistics.mts';
import { VARIANTS, type Load, type Result, type Variant } from './variants.mts';
import type { WriteCost } from './writes.mts';

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

/** Describes the machine in one line, without its name. */
function machine(): string {
	const { version } = readObject(createRequire(n8nProgram)('../package.json'), 'the manifest');
	const [cpu] = cpus();
	const memoryGib = Math.round(totalmem() / MEBIBYTE / 1024);
	return `${cpus().length} cores (${cpu?.model.trim()}), ${memoryGib} GiB memory, ${process.platform}, Node.js ${process.versions.node}, n8n ${String(version)}`;
}

function services(uses: readonly ServiceUse[]): string {
	const rows = uses.map((use) => {
		const { name, found, share, best, fixed, mostInFlight, refusedShare, otherKeeps } = use;
		const tried = fixed.map(({ number, perSecond }) => `${number}: ${perSecond.toFixed(0)}`);
		const cells = [
			...[SERVICE_PROFILES[name].title, show(found, 0), show(share), String(best)],
			...[tried.join(', '), String(mostInFlight), `${(100 * refusedShare).toFixed(2)} %`],
			otherKeeps.toFixed(2),
		];
		return `| ${cells.join(' | ')} |`;
	});
	return [
		'#### Services of several kinds, native balance',
		'',
		'| service | items/s | share of the best fixed number | best fixed number | items/s of each | most in flight | refused, once settled | kept by another client |',
		'| --- | --- | --- | --- | --- | --- | --- | --- |',
		...rows,
	].join('\n');
}

function writes({ plainLoop, contractWrite, tokenSend, share }: WriteCost): string {
	return [
		'#### 300 token transfers against the reference service, one at a time',
		'',
		"| variant | ms per write | share of the plain loop's speed |",
		'| --- | --- | --- |',
		`| Contract: Write | ${show(contractWrite)} | ${show(share)} |`,
		`| Token: Send, which queries the balance first | ${show(tokenSend)} | |`,
		`| plain keep-alive loop | ${show(plainLoop)} | |`,
	].join('\n');
}

/** All results as Markdown. Cells show the median over the rounds, with the range in brackets. */
export function describeResults(
	{ results, cost, uses, writeCost }: Findings,
	loads: readonly Load[],
): string {
	return [
		`Machine: ${machine()}.`,
		`Package: ${cost.packedBytes} bytes packed; n8n loads it in ${show(cost.loadMs, 0)} ms.`,
		...loads.map((load) => table(results, load)),
		...(uses.length === 0 ? [] : [services(uses)]),
		...(writeCost === undefined ? [] : [writes(writeCost)]),
	].join('\n\n');
}
