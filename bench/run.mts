/**
 * `npm run bench`: what one item costs with this node, with n8n's HTTP Request node for the same call, and with a plain loop.
 *
 *   npm run bench                                                       the full set, about 45 minutes
 *   npm run bench -- --sizes 100,1000 --rounds 1 --latency 0,50         a quick look
 *   npm run bench -- --write                                            enters the results into RESULTS.md
 *   npm run bench -- --sizes 1000 --rounds 1 --profiles /tmp/profiles   writes a CPU profile for each run of n8n
 *
 * The last line is one JSON object; see `Summary`.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildWhenChanged } from '../tools/package/build.mts';
import { report } from '../tools/process/console.mts';
import { interruption } from '../tools/process/interruption.mts';
import { summarize } from './comparison.mts';
import { packageCost } from './package-cost.mts';
import { describeResults } from './report.mts';
import type { BenchmarkSettings } from './settings.mts';
import { readSettings } from './settings.mts';
import { runVariant, VARIANTS } from './variants.mts';
import type { Result } from './variants.mts';
import { NODES } from './workflows.mts';
import type { BenchmarkWorkspace } from './workspace.mts';
import { createBenchmarkWorkspace } from './workspace.mts';

const resultsFile = join(import.meta.dirname, 'RESULTS.md');
const RESULTS_SECTION = /(?<=<!-- results -->\n)[^]*(?=<!-- end of results -->)/;

/** One round after the other, and in each the variants in turn: whatever else the machine does hits all of them. */
async function runAll(
	{ loads, rounds, isDue, profiles }: BenchmarkSettings,
	workspace: BenchmarkWorkspace,
): Promise<Result[]> {
	const results: Result[] = [];
	const flags = profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}`];
	for (let round = 1; round <= rounds; round++) {
		for (const load of loads.filter((each) => isDue(each, round))) {
			for (const variant of VARIANTS) {
				const result = await runVariant(variant, { ...load, round }, workspace, flags);
				const { call, items, latency, milliseconds, error } = result;
				const outcome = error ?? `${(milliseconds / items).toFixed(3)} ms per item`;
				report(`round ${round}: ${variant}, ${call}, ${items} items, ${latency} ms: ${outcome}`);
				results.push(result);
			}
		}
	}
	return results;
}

async function run(settings: BenchmarkSettings): Promise<void> {
	await buildWhenChanged();
	const { loads } = settings;
	const latencies = [...new Set(loads.map(({ latency }) => latency))];
	const workspace = await createBenchmarkWorkspace(latencies);
	try {
		const { stubUrl } = workspace;
		const plans = NODES.flatMap((node) => loads.map((load) => ({ ...load, node, stubUrl })));
		await workspace.addWorkflows(plans);
		const cost = await packageCost(workspace);
		const results = await runAll(settings, workspace);
		const described = describeResults(results, loads, cost);
		console.log(`\n${described}\n`);
		if (settings.write) {
			const file = await readFile(resultsFile, 'utf8');
			await writeFile(
				resultsFile,
				file.replace(RESULTS_SECTION, () => `\n${described}\n\n`),
			);
		}
		console.log(JSON.stringify(summarize(results, cost)));
	} finally {
		await workspace.remove();
	}
}

try {
	const interrupted = interruption().then(() => {
		throw new Error('Interrupted');
	});
	await Promise.race([run(readSettings(process.argv.slice(2))), interrupted]);
	process.exit();
} catch (error) {
	console.error(error instanceof Error ? error.message : String(error));
	process.exit(1);
}
