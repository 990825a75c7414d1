/**
 * Runs the named test suites, together where possible, and ends with one summary.
 *
 *   node test/run.mts unit engine        run these suites
 *   node test/run.mts --totals unit e2e  only sum up earlier runs of these suites
 *
 * Exits non-zero if a test failed, or if a suite is missing or ran no test.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { execa } from 'execa';
import { buildWhenChanged } from '../tools/package/build.mts';

const root = join(import.meta.dirname, '..');
const resultsDirectory = join(root, '.local', 'test-results');

/** Suites that use the built package (`dist/`). */
const needsBuild = new Set(['engine', 'e2e', 'slow', 'browser', 'queue', 'versions']);

/** Counts of a suite's tests. */
interface SuiteResult {
	passed: number;
	/** Includes files that could not be run. */
	failed: number;
	skipped: number;
}

/** The part of jest's own results that is used here. */
interface JestResults {
	readonly testResults: readonly {
		readonly name: string;
		readonly status: string;
		readonly assertionResults: readonly { readonly status: string }[];
	}[];
}

const processors = availableParallelism();

/** Suites that run alone, each with the number of files at a time. */
const ALONE = new Map([
	['slow', processors],
	['browser', processors],
	// The files install older versions of n8n in the same folder.
	['versions', 1],
	// Each file starts several n8n processes, Redis and PostgreSQL.
	['queue', 1],
]);

/** Number of files at a time of the other suites, which mostly wait: for an answer, a pause, a limit. */
const TOGETHER = Math.ceil(processors * 1.5);

const resultFile = (suite: string) => join(resultsDirectory, `${suite}.json`);

function resultOf(suite: string, { testResults }: JestResults): SuiteResult {
	const files = testResults.filter(({ name }) => name.startsWith(join(root, 'test', suite, sep)));
	const tests = files.flatMap(({ assertionResults }) => assertionResults);
	const count = (status: string): number => tests.filter((one) => one.status === status).length;
	const [passed, failed] = [count('passed'), count('failed')];
	const broken = files.filter(
		({ status, assertionResults }) =>
			status === 'failed' && !assertionResults.some((one) => one.status === 'failed'),
	);
	return { passed, failed: failed + broken.length, skipped: tests.length - passed - failed };
}

/** Runs suites in one jest, so that none waits for the last file of another. */
async function runSuites(suites: readonly string[], filesAtOnce: number): Promise<void> {
	if (suites.length === 0) return;
	for (const suite of suites) rmSync(resultFile(suite), { force: true });
	console.log(`\n── tests: ${suites.join(', ')}`);
	const folder = mkdtempSync(join(tmpdir(), 'test-results-'));
	const results = join(folder, 'jest.json');
	const output = ['--json', '--outputFile', results];
	await execa('jest', [`--maxWorkers=${filesAtOnce}`, '--selectProjects', ...suites, ...output], {
		cwd: root,
		// Later processes (n8n, the reference service, the next worker) reuse the code that Node.js has compiled.
		env: { NODE_COMPILE_CACHE: join(root, '.local', 'compiled') },
		stdio: 'inherit',
		reject: false,
	});
	if (existsSync(results)) {
		const run = JSON.parse(readFileSync(results, 'utf8')) as JestResults;
		for (const suite of suites)
			writeFileSync(resultFile(suite), JSON.stringify(resultOf(suite, run)));
	}
	rmSync(folder, { recursive: true });
}

/** Prints one line per suite and the total; returns true if every suite ran and nothing failed. */
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
		console.log(
			`${suite.padEnd(8)} ${result.passed} passed, ${result.failed} failed, ${result.skipped} skipped`,
		);
		if (result.passed === 0) complete = false;
		passed += result.passed;
		failed += result.failed;
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
	await runSuites(
		suites.filter((suite) => !ALONE.has(suite)),
		TOGETHER,
	);
	for (const [suite, filesAtOnce] of ALONE) {
		if (suites.includes(suite)) await runSuites([suite], filesAtOnce);
	}
}
process.exit(printTotals(suites) ? 0 : 1);
