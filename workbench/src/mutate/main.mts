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

import { interruption } from '../interruption.mts';
import type { Choice } from './command-line.mts';
import { readCommandLine } from './command-line.mts';
import { findDifferences } from './differences.mts';
import { tidyUp } from './memory.mts';
import type { Mutant } from './mutants.mts';
import type { Project } from './project.mts';
import { readProject } from './project.mts';
import { reachingTests } from './reach.mts';
import { describe, isMissed, reportOf, summaryOf } from './report.mts';
import { readTestFiles } from './test-files.mts';
import { TestsToRun } from './tests-to-run.mts';
import type { Verdict } from './trial.mts';
import { Trials } from './trial.mts';
import { TypeErrors } from './type-errors.mts';
import { Workshop, shareOut } from './workshop.mts';

const [FOUND, MISSED, COULD_NOT] = [0, 1, 2];

async function tryAll(
	project: Project,
	{ files, mutants }: Choice,
	workshops: readonly Workshop[],
): Promise<Verdict[]> {
	const { length } = mutants;
	const report = console.log;
	const tests = await reachingTests(project, await readTestFiles(), workshops, report);
	if (tests.length === 0) throw new Error('No test passes without any fault');
	const testsToRun = new TestsToRun(project, tests);
	const setting = { project, testsToRun, workshops, report };
	const couldNotice = await findDifferences(files, length, setting);
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
		report(`${progress} ${verdict.state.padEnd(10)} ${seconds} s  ${describe(mutant)}`);
	});
	return mutants.flatMap((mutant) => verdicts.get(mutant) ?? []);
}

/** Tries the mutants; gives what the process ends with. */
async function run(project: Project, choice: Choice): Promise<number> {
	tidyUp();
	const { workers: length, json } = choice;
	const workshops = await Promise.all(Array.from({ length }, () => Workshop.open()));
	try {
		const before = performance.now();
		const verdicts = await Promise.race([tryAll(project, choice, workshops), interruption()]);
		if (verdicts === undefined) return COULD_NOT;
		const seconds = (performance.now() - before) / 1000;
		console.log(summaryOf(verdicts, seconds));
		if (json !== undefined) {
			await writeFile(json, JSON.stringify(reportOf(verdicts, seconds), undefined, '\t'));
		}
		return verdicts.some(isMissed) ? MISSED : FOUND;
	} finally {
		await Promise.all(workshops.map((workshop) => workshop.close()));
	}
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
