/**
 * Runs the named test suites one after the other and ends with one summary.
 *
 *   node test/run.mts unit engine        run these suites
 *   node test/run.mts --totals unit e2e  only sum up what earlier runs of these suites left
 *
 * Exits non-zero when a test failed, or when a suite is missing or ran no test.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';

const root = join(import.meta.dirname, '..');
const resultsDirectory = join(root, '.local', 'test-results');

/** Suites that use the built package (`dist/`). */
const needsBuild = new Set(['engine', 'e2e', 'browser', 'queue', 'versions']);

interface SuiteResult {
	numPassedTests: number;
	numFailedTests: number;
	numPendingTests: number;
	numRuntimeErrorTestSuites: number;
}

/** How many files of a suite run at the same time; where nothing stands, one less than there are processors. */
const filesAtOnce = new Map([
	// It installs what it needs first, in one place.
	['versions', ['--runInBand']],
	// What they start beside jest needs little of a processor.
	['unit', ['--maxWorkers=100%']],
	['engine', ['--maxWorkers=100%']],
]);

const resultFile = (suite: string) => join(resultsDirectory, `${suite}.json`);

/** Runs a command to its end, without a pause for this process, which ends with the one that started it. */
async function run(command: string, args: string[]): Promise<number> {
	const { exitCode } = await execa(command, args, {
		cwd: root,
		// What Node.js has compiled is compiled for all processes that follow: n8n, the reference service, the next worker.
		env: { NODE_COMPILE_CACHE: join(root, '.local', 'compiled') },
		stdio: 'inherit',
		reject: false,
	});
	return exitCode ?? 1;
}

async function runSuite(suite: string): Promise<void> {
	rmSync(resultFile(suite), { force: true });
	console.log(`\n── ${suite} tests`);
	await run('jest', [
		...(filesAtOnce.get(suite) ?? []),
		'--selectProjects',
		suite,
		'--json',
		'--outputFile',
		resultFile(suite),
	]);
}

/** Prints one line per suite and the total; returns true when every suite ran and nothing failed. */
function printTotals(suites: string[]): boolean {
	let passed = 0;
	let failed = 0;
	let complete = true;
	console.log('');
	for (const suite of suites) {
		if (!existsSync(resultFile(suite))) {
			console.log(`${suite.padEnd(8)} did not run`);
			complete = false;
			continue;
		}
		const result = JSON.parse(readFileSync(resultFile(suite), 'utf8')) as SuiteResult;
		const broken = result.numFailedTests + result.numRuntimeErrorTestSuites;
		console.log(
			`${suite.padEnd(8)} ${result.numPassedTests} passed, ${broken} failed, ${result.numPendingTests} skipped`,
		);
		if (result.numPassedTests === 0) complete = false;
		passed += result.numPassedTests;
		failed += broken;
	}
	if (!complete) failed += 1;
	console.log(`tests: ${passed} passed, ${failed} failed`);
	return failed === 0;
}

const args = process.argv.slice(2);
const totalsOnly = args[0] === '--totals';
const suites = totalsOnly ? args.slice(1) : args;
mkdirSync(resultsDirectory, { recursive: true });
if (!totalsOnly) {
	if (suites.some((suite) => needsBuild.has(suite)) && (await run('gulp', ['build'])) !== 0)
		process.exit(1);
	for (const suite of suites) await runSuite(suite);
}
process.exit(printTotals(suites) ? 0 : 1);
