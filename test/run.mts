/**
 * Runs the named test suites and ends with one summary.
 *
 *   node test/run.mts unit engine        run these suites
 *   node test/run.mts --totals unit e2e  only sum up what earlier runs of these suites left
 *
 * Exits non-zero when a test failed, or when a suite is missing or ran no test.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative, sep } from 'node:path';
import { execa } from 'execa';
import type { TestFile } from '../tools/jest/results.mts';
import { buildWhenChanged } from '../tools/package/build.mts';

const root = join(import.meta.dirname, '..');
const resultsDirectory = join(root, '.local', 'test-results');

/** Suites that use the built package (`dist/`). */
const needsBuild = new Set(['engine', 'wallet', 'e2e', 'slow', 'browser', 'queue', 'versions']);

/** What one suite came to, in numbers of tests. */
interface Result {
	passed: number;
	skipped: number;
	/** The failed tests, by file and name, with why; a file that could not be run counts as one. */
	failed: { name: string; why: string }[];
}

const processors = availableParallelism();

/** How many files run at the same time, unless as many as there are processors. */
const FILES_AT_ONCE = new Map([
	// They often wait: for an answer, a pause, a limit.
	['engine', processors * 2],
	['slow', Math.ceil(processors * 1.5)],
	['wallet', Math.ceil(processors * 1.5)],
	// Each starts several n8n, Redis and PostgreSQL.
	['queue', 1],
]);

const resultFile = (suite: string) => join(resultsDirectory, `${suite}.json`);

function resultOf(suite: string, all: TestFile[]): Result {
	const files = all.filter(({ path }) => path.startsWith(join(root, 'test', suite, sep)));
	const tests = files.flatMap(({ path, isBroken, tests: own }) => {
		const file = relative(root, path);
		const named = own.map(({ status, fullName, why }) => {
			return { status, name: `${file}: ${fullName}`, why };
		});
		return isBroken ? [...named, { status: 'failed', name: file, why: '' }] : named;
	});
	const having = (...statuses: string[]) => tests.filter(({ status }) => statuses.includes(status));
	return {
		passed: having('passed').length,
		skipped: having('pending', 'skipped', 'todo', 'disabled').length,
		failed: having('failed').map(({ name, why }) => ({ name, why })),
	};
}

/** Runs all files of the suites in one jest, so that no processor waits for the end of a suite. */
async function runSuites(suites: string[]): Promise<void> {
	for (const suite of suites) rmSync(resultFile(suite), { force: true });
	const output = resultFile(suites.join('-'));
	await execa(
		'jest',
		[
			`--maxWorkers=${Math.max(...suites.map((suite) => FILES_AT_ONCE.get(suite) ?? processors))}`,
			'--reporters=default',
			`--reporters=${join(root, 'tools', 'jest', 'results.mts')}`,
			'--selectProjects',
			...suites,
		],
		{
			cwd: root,
			// What Node.js has compiled is compiled for all processes that follow: n8n, the reference service, the next worker.
			env: { NODE_COMPILE_CACHE: join(root, '.local', 'compiled'), JEST_RESULTS: output },
			stdio: 'inherit',
			// How it ended is in the file.
			reject: false,
		},
	);
	if (!existsSync(output)) return;
	const results = JSON.parse(readFileSync(output, 'utf8')) as TestFile[];
	rmSync(output);
	for (const suite of suites) {
		writeFileSync(resultFile(suite), JSON.stringify(resultOf(suite, results)));
	}
}

/** Prints one line per suite, its failed tests, and the total; returns true when every suite ran and nothing failed. */
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
		const result = JSON.parse(readFileSync(resultFile(suite), 'utf8')) as Result;
		const numbers = `${result.passed} passed, ${result.failed.length} failed, ${result.skipped} skipped`;
		console.log(`${suite.padEnd(8)} ${numbers}`);
		for (const { name, why } of result.failed) {
			console.log(`         ${name}\n${why.replaceAll(/^/gm, '             ')}`);
		}
		if (result.passed === 0) complete = false;
		passed += result.passed;
		failed += result.failed.length;
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
	await runSuites(suites);
}
process.exit(printTotals(suites) ? 0 : 1);
