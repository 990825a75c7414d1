import { remember, remembered } from './memory.mts';
import type { Project } from './project.mts';
import { instrumented } from './regions.mts';
import type { ReachingTest, TestFile } from './test-files.mts';
import { PATIENCE } from './test-files.mts';
import type { Workshop } from './workshop.mts';
import { shareOut } from './workshop.mts';

const questionOf = ({ version }: TestFile): string => `reached ${version}`;

/** What test files reach, as far as earlier runs found it out and nothing has changed since. */
function known(tests: readonly TestFile[]): Map<TestFile, ReachingTest> {
	return new Map(
		tests.flatMap((test) => {
			const found = remembered(questionOf(test));
			if (found === undefined) return [];
			const { milliseconds, numbers } = found;
			return [[test, { ...test, milliseconds, reached: new Set(numbers) }] as const];
		}),
	);
}

/** Runs test files on code that tells which of its regions are reached, and remembers what they say. */
async function findOut(
	{ files, regionCount }: Project,
	tests: readonly TestFile[],
	workshops: readonly Workshop[],
	report: (line: string) => void,
): Promise<void> {
	for (const workshop of workshops) {
		for (const { file, source, regions, firstRegion } of files) {
			await workshop.write(file, instrumented(source, regions, firstRegion));
		}
	}
	await shareOut(workshops, tests, async (test, workshop) => {
		const outcome = await workshop.run(test, PATIENCE, regionCount);
		if (outcome.state !== 'ran' || outcome.failure !== undefined) {
			report(`LEFT OUT, fails without any fault: ${test.path}: ${outcome.failure}`);
			return;
		}
		const { milliseconds, reached } = outcome;
		remember(questionOf(test), { milliseconds, numbers: reached });
		report(`  ${test.path}: ${milliseconds} ms`);
	});
	for (const workshop of workshops) {
		for (const { file, source } of files) await workshop.write(file, source.text);
	}
}

/** The test files that pass, with what they reach. */
export async function reachingTests(
	project: Project,
	tests: readonly TestFile[],
	workshops: readonly Workshop[],
	report: (line: string) => void,
): Promise<ReachingTest[]> {
	const before = known(tests);
	const unknown = tests.filter((test) => !before.has(test));
	if (unknown.length === 0) return [...before.values()];
	report(`finding out what ${unknown.length} test files reach`);
	await findOut(project, unknown, workshops, report);
	return [...known(tests).values()];
}
