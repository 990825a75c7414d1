/**
 * Runs the named test suites one after the other and ends with one summary.
 *
 *   node test/run.mts unit engine        run these suites
 *   node test/run.mts --totals unit e2e  only sum up what earlier runs of these suites left
 *
 * Exits non-zero when a test failed, or when a suite is missing or ran no test.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { buildWhenChanged } from '../tools/package/build.mts';

const root = join(import.meta.dirname, '..');
const resultsDirectory = join(root, '.local', 'test-results');

/** Suites that use the built package (`dist/`). */
const needsBuild = new Set(['engine', 'e2e', 'slow', 'browser', 'queue', 'versions']);

interface SuiteResult {
	numPassedTests: number;
	numFailedTests: number;
	numPendingTests: number;
	numRuntimeErrorTestSuites: number;
}

const processors = availableParallelism();

/** How many files of a suite run at the same time, unless as many as there are processors. */
const FILES_AT_ONCE = new Map([
	// They often wait: for an answer, a pause, a limit.
	['engine', processors * 2],
	['slow', Math.ceil(processors * 1.5)],
	// Each starts several n8n, Redis and PostgreSQL.
	['queue', 1],
]);

const resultFile = (suite: string) => join(resultsDirectory, `${suite}.json`);

/** Runs jest to its end; how it ended is in the file of results. */
async function runJest(args: string[]): Promise<void> {
	await execa('jest', args, {
		cwd: root,
		// What Node.js has compiled is compiled for all processes that follow: n8n, the reference service, the next worker.
		env: { NODE_COMPILE_CACHE: join(root, '.local', 'compiled') },
		stdio: 'inherit',
		reject: false,
	});
}

async function runSuite(suite: string): Promise<void> {
	rmSync(resultFile(suite), { force: true });
	console.log(`\n── ${suite} tests`);
	await runJest([
		`--maxWorkers=${FILES_AT_ONCE.get(suite) ?? processors}`,
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
	if (suites.some((suite) => needsBuild.has(suite))) await buildWhenChanged();
	for (const suite of suites) await runSuite(suite);
}
process.exit(printTotals(suites) ? 0 : 1);
