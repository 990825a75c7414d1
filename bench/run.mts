/**
 * `npm run bench` measures the cost of one item with this node, with n8n's HTTP Request node, and with a plain loop.
 *
 *   npm run bench                                                       the full set, about two hours
 *   npm run bench -- --parts loads --sizes 100,1000 --rounds 1          a quick run of the loads
 *   npm run bench -- --parts services --services far,queueing           adaptation to these services
 *   npm run bench -- --parts writes                                     writes, one after the other
 *   npm run bench -- --write                                            writes the results into RESULTS.md
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
import { readSettings, type BenchmarkSettings } from './settings.mts';
import { measureService, servicePlans, type ServiceUse } from './services.mts';
import { plansOf, runVariant, VARIANTS, type Result } from './variants.mts';
import { measureWrites } from './writes.mts';
import { createBenchmarkWorkspace, type BenchmarkWorkspace } from './workspace.mts';

const resultsFile = join(import.meta.dirname, 'RESULTS.md');
const RESULTS_SECTION = /(?<=<!-- results -->\n)[^]*(?=<!-- end of results -->)/;

/** Makes Node.js write a CPU profile. */
const cpuProfileFlags = (folder: string | undefined): string[] =>
	folder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${folder}`];

/** Runs the variants in turn in each round, so that other load on the machine affects all of them. */
async function runAll(
	{ loads, rounds, isDue, profiles }: BenchmarkSettings,
	workspace: BenchmarkWorkspace,
): Promise<Result[]> {
	const results: Result[] = [];
	const flags = cpuProfileFlags(profiles);
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
	const { loads, services, rounds, writes, profiles } = settings;
	const latencies = [...new Set(loads.map(({ latency }) => latency))];
	const workspace = await createBenchmarkWorkspace([...latencies, ...services]);
	try {
		const { stubUrl } = workspace;
		const plans = [...plansOf(loads, stubUrl), ...servicePlans(services, stubUrl)];
		if (plans.length > 0) await workspace.addWorkflows(plans);
		const cost = await packageCost(workspace);
		const results = await runAll(settings, workspace);
		const uses: ServiceUse[] = [];
		for (const name of services) uses.push(await measureService(workspace, name, rounds));
		const flags = cpuProfileFlags(profiles);
		const writeCost = writes ? await measureWrites(workspace, rounds, flags) : undefined;
		const findings = { results, cost, uses, writeCost };
		const described = describeResults(findings, loads);
		console.log(`\n${described}\n`);
		if (settings.write) {
			const file = await readFile(resultsFile, 'utf8');
			await writeFile(
				resultsFile,
				file.replace(RESULTS_SECTION, () => `\n${described}\n\n`),
			);
		}
		console.log(JSON.stringify(summarize(findings)));
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
