/**
 * Tries how well the unit and engine tests know the code: makes one small fault after the other in copies of the
 * repository, and runs the tests that reach it until one fails.
 *
 *   npm run mutate -- FILE_OR_FOLDER...   all faults in these sources of the package
 *     --list                              only says which faults would be made
 *     --sample N --seed S                 only N of them, chosen at random; the same ones for the same seed
 *     --again FILE                        only those that an earlier run missed, by what it wrote with --json
 *     --json FILE                         writes what became of each fault
 *     --workers N                         1 or 2 (default) test runs at a time
 *
 * Ends with 0 when the tests found every fault, with 1 when they missed one, and with 2 when it could not be tried.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';

import { interruption } from '../interruption.mts';
import { readList, readObject } from '../json.mts';
import { tidyUp } from './memory.mts';
import type { Mutant } from './mutants.mts';
import { mutantsOf } from './mutants.mts';
import type { Project, SourceFile } from './project.mts';
import { chooseFiles, readProject } from './project.mts';
import { reachingTests } from './reach.mts';
import { findDifferences } from './differences.mts';
import { describe, isMissed, reportOf, summaryOf } from './report.mts';
import { sampleOf } from './sample.mts';
import { readTestFiles } from './test-files.mts';
import { TestsToRun } from './tests-to-run.mts';
import type { Verdict } from './trial.mts';
import { Trials } from './trial.mts';
import { TypeErrors } from './type-errors.mts';
import { Workshop, shareOut } from './workshop.mts';

const MAX_WORKERS = 2;

const { values: options, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		list: { type: 'boolean', default: false },
		sample: { type: 'string' },
		seed: { type: 'string', default: '1' },
		again: { type: 'string' },
		json: { type: 'string' },
		workers: { type: 'string', default: String(MAX_WORKERS) },
	},
});

function wholeNumber(name: string, text: string, most = Infinity): number {
	const number = Number(text);
	if (!Number.isInteger(number) || number < 1 || number > most) {
		throw new Error(
			`--${name} ${text}: give a whole number from 1${most < Infinity ? ` to ${most}` : ''}`,
		);
	}
	return number;
}

/** Names of the mutants that an earlier run missed. */
async function missedBefore(file: string): Promise<Set<unknown>> {
	const { mutants } = readObject(JSON.parse(await readFile(file, 'utf8')), file);
	const missed = readList(mutants, 'the mutants').flatMap((mutant) => {
		const { key, state } = readObject(mutant, 'a mutant');
		return state === 'survived' || state === 'unreached' ? [key] : [];
	});
	return new Set(missed);
}

/** What is to be tried. */
interface Choice {
	readonly files: readonly SourceFile[];
	readonly mutants: readonly Mutant[];
}

async function chooseMutants(project: Project): Promise<Choice> {
	if (positionals.length === 0)
		throw new Error('Name the sources, for example nodes/WalletService/values');
	const files = chooseFiles(project, positionals);
	let mutants = files.flatMap(({ file, source }) => mutantsOf(file, source, project.checker));
	if (options.again !== undefined) {
		const missed = await missedBefore(options.again);
		mutants = mutants.filter(({ key }) => missed.has(key));
	}
	if (options.sample === undefined) return { files, mutants };
	const size = wholeNumber('sample', options.sample);
	return { files, mutants: sampleOf(mutants, size, wholeNumber('seed', options.seed)) };
}

async function tryAll(
	project: Project,
	{ files, mutants }: Choice,
	workshops: Workshop[],
): Promise<Verdict[]> {
	const tests = await reachingTests(project, await readTestFiles(), workshops, console.log);
	if (tests.length === 0) throw new Error('No test passes without any fault');
	const testsToRun = new TestsToRun(project, tests);
	const { length } = mutants;
	const couldNotice = await findDifferences(
		project,
		files,
		length,
		testsToRun,
		workshops,
		console.log,
	);
	const [trials, typeErrors] = [new Trials(), new TypeErrors(project)];
	const verdicts = new Map<Mutant, Verdict>();
	await shareOut(workshops, mutants, async (mutant, workshop) => {
		const source = mutant.node.getSourceFile().text;
		const reaching = testsToRun.for(mutant);
		const noticing = reaching.filter((test) => couldNotice(mutant, test));
		const isRefused = () => typeErrors.refuses(mutant, source);
		const verdict = await trials.run({ mutant, source, reaching, noticing, isRefused }, workshop);
		verdicts.set(mutant, verdict);
		const seconds = (verdict.milliseconds / 1000).toFixed(1).padStart(6);
		const progress = `${verdicts.size}/${length}`.padStart(9);
		console.log(`${progress} ${verdict.state.padEnd(10)} ${seconds} s  ${describe(mutant)}`);
	});
	return mutants.flatMap((mutant) => verdicts.get(mutant) ?? []);
}

async function run(): Promise<number> {
	const workers = wholeNumber('workers', options.workers, MAX_WORKERS);
	const project = readProject();
	const choice = await chooseMutants(project);
	if (options.list) {
		choice.mutants.map(describe).forEach((line) => console.log(line));
		console.log(`${choice.mutants.length} mutants`);
		return 0;
	}
	tidyUp();
	const workshops = await Promise.all(Array.from({ length: workers }, () => Workshop.open()));
	try {
		const before = performance.now();
		const trial = tryAll(project, choice, workshops);
		const verdicts = await Promise.race([trial, interruption()]);
		if (verdicts === undefined) return 2;
		const seconds = (performance.now() - before) / 1000;
		console.log(summaryOf(verdicts, seconds));
		if (options.json !== undefined) {
			await writeFile(options.json, JSON.stringify(reportOf(verdicts, seconds), undefined, '\t'));
		}
		return verdicts.some(isMissed) ? 1 : 0;
	} finally {
		await Promise.all(workshops.map((workshop) => workshop.close()));
	}
}

try {
	process.exit(await run());
} catch (error) {
	console.error(error);
	process.exit(2);
}
