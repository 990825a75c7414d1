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
import { join, sep } from 'node:path';
import { execa } from 'execa';
import { buildWhenChanged } from '../tools/package/build.mts';

const root = join(import.meta.dirname, '..');
const resultsDirectory = join(root, '.local', 'test-results');

/** Suites that use the built package (`dist/`). */
const needsBuild = new Set(['engine', 'e2e', 'slow', 'browser', 'queue', 'versions']);

/** The part of jest's results that is used here. */
interface TestFile {
	readonly name: string;
	readonly status: string;
	readonly assertionResults: readonly { readonly status: string }[];
}

const processors = availableParallelism();
/** Suites whose files run one at a time: each installs what it needs in one place, or starts several n8n and databases. */
const ONE_BY_ONE = new Set(['versions', 'queue']);
/** Files of these suites run beside more others than there are processors: they often wait for an answer, a pause or a limit. */
const WAITING = new Set(['engine', 'service', 'e2e']);

const resultFile = (suite: string) => join(resultsDirectory, `${suite}.json`);

/** Runs the files of some suites, and writes a file of results for each suite that ran. */
async function runSuites(suites: string[], filesAtOnce: number): Promise<void> {
	if (suites.length === 0) return;
	console.log(`\n── ${suites.join(', ')} tests`);
	// Another command may run other suites at the same time.
	const output = join(resultsDirectory, `${suites.join('+')}.jest.json`);
	rmSync(output, { force: true });
	const names = ['--selectProjects', ...suites];
	// How jest ended is in the file of results.
	await execa('jest', [`--maxWorkers=${filesAtOnce}`, ...names, '--json', '--outputFile', output], {
		cwd: root,
		// What Node.js has compiled is compiled for all processes that follow: n8n, the reference service, the next worker.
		env: { NODE_COMPILE_CACHE: join(root, '.local', 'compiled') },
		stdio: 'inherit',
		reject: false,
	});
	if (!existsSync(output)) return;
	const files: TestFile[] = JSON.parse(readFileSync(output, 'utf8')).testResults;
	for (const suite of suites) {
		const own = files.filter(({ name }) => name.startsWith(join(root, 'test', suite, sep)));
		writeFileSync(resultFile(suite), JSON.stringify(own));
	}
}

/** The numbers of tests that passed, failed and were skipped; a file that failed for another reason counts as one test. */
function countsOf(files: readonly TestFile[]) {
	const results = files.flatMap(({ assertionResults }) => assertionResults);
	const count = (status: string) => results.filter((one) => one.status === status).length;
	const isBroken = ({ status, assertionResults }: TestFile) =>
		status === 'failed' && assertionResults.every((one) => one.status !== 'failed');
	const failed = count('failed') + files.filter(isBroken).length;
	return { passed: count('passed'), failed, skipped: count('pending') };
}

/** Prints one line per suite and the total; returns true when every suite ran and nothing failed. */
function printTotals(suites: string[]): boolean {
	const total = { passed: 0, failed: 0 };
	let complete = true;
	console.log('');
	for (const suite of suites) {
		if (!existsSync(resultFile(suite))) {
			console.log(`${suite.padEnd(8)} did not run`);
			complete = false;
			continue;
		}
		const { passed, failed, skipped } = countsOf(
			JSON.parse(readFileSync(resultFile(suite), 'utf8')),
		);
		console.log(`${suite.padEnd(8)} ${passed} passed, ${failed} failed, ${skipped} skipped`);
		if (passed === 0) complete = false;
		total.passed += passed;
		total.failed += failed;
	}
	if (!complete) total.failed += 1;
	console.log(`tests: ${total.passed} passed, ${total.failed} failed`);
	return total.failed === 0;
}

const args = process.argv.slice(2);
const totalsOnly = args[0] === '--totals';
const suites = totalsOnly ? args.slice(1) : args;
mkdirSync(resultsDirectory, { recursive: true });
if (!totalsOnly) {
	if (suites.some((suite) => needsBuild.has(suite))) await buildWhenChanged();
	for (const suite of suites) rmSync(resultFile(suite), { force: true });
	const together = suites.filter((suite) => !ONE_BY_ONE.has(suite));
	const isWaiting = together.some((suite) => WAITING.has(suite));
	await runSuites(together, isWaiting ? Math.ceil(processors * 1.5) : processors);
	const alone = suites.filter((suite) => ONE_BY_ONE.has(suite));
	await runSuites(alone, 1);
}
process.exit(printTotals(suites) ? 0 : 1);
