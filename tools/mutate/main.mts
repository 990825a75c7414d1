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
import { writeFile } from 'node:fs/promises';

import { interruption } from '../process/interruption.mts';
import type { Choice } from './command-line.mts';
import { readCommandLine } from './command-line.mts';
import { findDifferences } from './differences.mts';
import { tidyUp } from './memory.mts';
import type { Project } from './project.mts';
import { readProject } from './project.mts';
import { reachingTests } from './reach.mts';
import { describe, isMissed, reportOf, summaryOf } from './report.mts';
import { readTestFiles } from './test-files.mts';
import { TestsToRun } from './tests-to-run.mts';
import type { Verdict } from './trial.mts';
import { Trials, runSound } from './trial.mts';
import { TypeErrors } from './type-errors.mts';
import { Workshop, shareOut } from './workshop.mts';

const [FOUND, MISSED, COULD_NOT] = [0, 1, 2];

/** Tries the mutants and notes what becomes of each. */
async function tryAll(
	project: Project,
	{ files, mutants }: Choice,
	workshops: readonly Workshop[],
	verdicts: Verdict[],
): Promise<void> {
	const { length } = mutants;
	const report = console.log;
	const tests = await reachingTests(project, await readTestFiles(), workshops, report);
	if (tests.length === 0) throw new Error('No test passes without any fault');
	const testsToRun = new TestsToRun(project, tests);
	const setting = { project, testsToRun, workshops, report };
	const couldNotice = await findDifferences(files, length, setting);
	const [trials, typeErrors] = [new Trials(), new TypeErrors(project)];
	await shareOut(workshops, mutants, async (mutant, workshop) => {
		const source = mutant.node.getSourceFile().text;
		const reaching = testsToRun.for(mutant);
		const noticing = reaching.filter((test) => couldNotice(mutant, test));
		const isRefused = () => typeErrors.refuses(mutant, source);
		const verdict = await trials.run({ mutant, source, reaching, noticing, isRefused }, workshop);
		verdicts.push(verdict);
		const seconds = (verdict.milliseconds / 1000).toFixed(1).padStart(6);
		const progress = `${verdicts.length}/${length}`.padStart(9);
		report(`${progress} ${verdict.state.padEnd(10)} ${seconds} s  ${describe(mutant)}`);
	});
	// Where tests have begun to fail by themselves, they found nothing.
	const finder = verdicts.findLast(({ failure }) => failure !== undefined)?.tests.at(-1);
	const test = tests.find(({ path }) => path === finder);
	if (test) await Promise.all(workshops.map((workshop) => runSound(test, workshop)));
}

/** Says, and writes if asked to, what became of the mutants so far. */
async function sumUp({ json, mutants }: Choice, noted: readonly Verdict[], seconds: number) {
	const verdicts = mutants.flatMap((one) => noted.find(({ mutant }) => mutant === one) ?? []);
	console.log(summaryOf(verdicts, seconds));
	if (verdicts.length < mutants.length) {
		console.log(`NOT FINISHED: ${mutants.length - verdicts.length} more were to be tried`);
	}
	if (json === undefined) return;
	await writeFile(json, JSON.stringify(reportOf(verdicts, seconds), undefined, '\t'));
}

/** Tries the mutants; gives what the process ends with. */
async function run(project: Project, choice: Choice): Promise<number> {
	tidyUp();
	const { workers: length, mutants } = choice;
	const workshops = await Promise.all(Array.from({ length }, () => Workshop.open()));
	const verdicts: Verdict[] = [];
	const before = performance.now();
	try {
		await Promise.race([tryAll(project, choice, workshops, verdicts), interruption()]);
	} finally {
		await Promise.allSettled(workshops.map((workshop) => workshop.close()));
		await sumUp(choice, verdicts, (performance.now() - before) / 1000);
	}
	if (verdicts.length < mutants.length) return COULD_NOT;
	return verdicts.some(isMissed) ? MISSED : FOUND;
}

async function main(): Promise<number> {
	const project = readProject();
	let choice: Choice;
	try {
		choice = await readCommandLine(project, process.argv.slice(2));
	} catch (error) {
		console.error(error instanceof Error ? error.message : error);
		return COULD_NOT;
	}
	if (!choice.isList) return await run(project, choice);
	choice.mutants.map(describe).forEach((line) => console.log(line));
	console.log(`${choice.mutants.length} mutants`);
	return FOUND;
}

process.exit(
	await main().catch((error: unknown) => {
		console.error(error);
		return COULD_NOT;
	}),
);
