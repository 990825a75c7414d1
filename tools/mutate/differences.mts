import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { digestOfText } from '../files/digest.mts';
import { comparable, comparing } from './compare.mts';
import { remember, remembered } from './memory.mts';
import type { Mutant } from './mutants.mts';
import { mutantsOf } from './mutants.mts';
import type { Project, SourceFile } from './project.mts';
import type { ReachingTest } from './test-files.mts';
import { PATIENCE } from './test-files.mts';
import type { TestsToRun } from './tests-to-run.mts';
import type { Workshop } from './workshop.mts';
import { shareOut } from './workshop.mts';

/** A source file with the mutants whose values can be compared with the sound ones while tests run. */
interface ComparedFile extends SourceFile {
	readonly mutants: readonly Mutant[];
	/** Number of the first mutant. */
	readonly first: number;
	/** The source with the comparisons in it. */
	readonly comparing: string;
	readonly version: string;
}

/** Fewer mutants than these are not worth a further run of their tests. */
const WORTHWHILE = 20;

const questionOf = (test: ReachingTest, { version }: ComparedFile): string =>
	`differs ${test.version} ${version}`;

/** How values are compared. */
const rules = readFileSync(join(import.meta.dirname, 'comparer.mts'), 'utf8');

function comparedFiles({ checker }: Project, files: readonly SourceFile[]): ComparedFile[] {
	let first = 0;
	return files.map((sourceFile) => {
		const { file, source } = sourceFile;
		const all = comparable(mutantsOf(file, source, checker), checker);
		const mutants = [...new Set(all.flatMap(({ versions }) => [...versions.keys()]))];
		const numbers = new Map(mutants.map((mutant, index) => [mutant, first + index]));
		const text = comparing(source, all, (mutant) => numbers.get(mutant) ?? -1);
		const version = digestOfText(`${text} ${mutants.map(({ key }) => key).join()} ${rules}`);
		const compared = { ...sourceFile, mutants, first, comparing: text, version };
		first += mutants.length;
		return compared;
	});
}

/** Runs tests on code that compares each value with what the mutants would give, and remembers where they differ. */
async function findOut(
	files: readonly ComparedFile[],
	tests: readonly ReachingTest[],
	workshops: readonly Workshop[],
	report: (line: string) => void,
): Promise<void> {
	for (const workshop of workshops) {
		for (const { file, comparing: text } of files) await workshop.write(file, text);
	}
	const count = files.reduce((sum, { mutants }) => sum + mutants.length, 0);
	await shareOut(workshops, tests, async (test, workshop) => {
		const outcome = await workshop.run(test, PATIENCE, count);
		// Such a test is run on all mutants, as if nothing were known of it.
		const isOf = outcome.state === 'ran' && outcome.failure === undefined;
		report(`  ${test.path}: ${isOf ? `${outcome.milliseconds} ms` : outcome.failure}`);
		if (!isOf) return;
		const { milliseconds, reached } = outcome;
		for (const file of files) {
			const numbers = reached
				.map((number) => number - file.first)
				.filter((number) => number >= 0 && number < file.mutants.length);
			remember(questionOf(test, file), { milliseconds, numbers });
		}
	});
	for (const workshop of workshops) {
		for (const { file, source } of files) await workshop.write(file, source.text);
	}
}

/** Whether a test could notice a mutant, as far as is known. */
export type CouldNotice = (mutant: Mutant, test: ReachingTest) => boolean;

/** What it takes to find something out. */
export interface Setting {
	readonly project: Project;
	readonly testsToRun: TestsToRun;
	readonly workshops: readonly Workshop[];
	readonly report: (line: string) => void;
}

/** Finds out in which tests the mutants of some files give other values than the sound code. */
export async function findDifferences(
	chosen: readonly SourceFile[],
	mutantCount: number,
	{ project, testsToRun, workshops, report }: Setting,
): Promise<CouldNotice> {
	const files = comparedFiles(project, chosen);
	const isNew = (test: ReachingTest) => (file: ComparedFile) =>
		file.mutants.some((mutant) => testsToRun.for(mutant).includes(test)) &&
		remembered(questionOf(test, file)) === undefined;
	const unknown = testsToRun.tests.filter((test) => files.some(isNew(test)));
	if (unknown.length > 0 && mutantCount >= WORTHWHILE) {
		report(`finding out in which of ${unknown.length} test files the faults make a difference`);
		await findOut(files, unknown, workshops, report);
	}
	const compared = new Set(files.flatMap(({ mutants }) => mutants.map(({ key }) => key)));
	const noticed = new Map(
		testsToRun.tests.map((test) => {
			const keys = files.flatMap((file) => {
				const { numbers } = remembered(questionOf(test, file)) ?? {};
				const found = numbers?.map((number) => file.mutants[number]) ?? file.mutants;
				return found.flatMap((mutant) => mutant?.key ?? []);
			});
			return [test, new Set(keys)] as const;
		}),
	);
	return ({ key }, test) => !compared.has(key) || noticed.get(test)?.has(key) !== false;
}
