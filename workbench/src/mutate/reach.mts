import { globSync, mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { digestOfFiles, digestOfText } from '../digest.mts';
import { localState, root } from '../paths.mts';
import { SUITES } from './orders.mts';
import type { Project } from './project.mts';
import { instrumented } from './regions.mts';
import type { TestToRun, Workshop } from './workshop.mts';
import { shareOut } from './workshop.mts';

/** A test file, and what of the code it reaches when there is no fault. */
export interface TestFile extends TestToRun {
	readonly text: string;
	readonly milliseconds: number;
	/** Numbers of the regions that it reaches. */
	readonly reached: ReadonlySet<number>;
	/** Why it fails although there is no fault; it says nothing about mutants then. */
	readonly failure: string | undefined;
}

type Found = Omit<TestFile, 'reached' | 'text'> & { readonly reached: readonly number[] };

/** What earlier runs found out, each under a digest of all that it depends on. */
type Memory = Record<string, Found>;

const memoryFile = join(localState, 'mutate', 'reached.json');

/** What all test files depend on. */
const SHARED_SOURCES = [
	...['nodes/**/*.ts', 'credentials/**/*.ts', 'sandbox/src/**', 'sandbox/contracts/**'],
	...['test/{unit,engine}/**/!(*.test).mts', 'workbench/src/mutate/{project,regions,environment}.mts'],
	...['package.json', 'pnpm-lock.yaml', 'gulpfile.js', 'jest.config.mjs'],
];

/** Longest time that one test may take without a fault, in milliseconds. */
export const PATIENCE = 300_000;

async function readMemory(): Promise<Memory> {
	try {
		return JSON.parse(await readFile(memoryFile, 'utf8'));
	} catch {
		return {};
	}
}

/** Keeps what was found out; a failure may pass, so it is asked for again the next time. */
function keep(memory: Memory): void {
	const kept = Object.entries(memory).filter(([, { failure }]) => failure === undefined);
	mkdirSync(dirname(memoryFile), { recursive: true });
	writeFileSync(memoryFile, JSON.stringify(Object.fromEntries(kept)));
}

/** Runs the test files on code that tells which of its regions are reached. */
async function findOut(
	{ files, regionCount }: Project,
	tests: readonly TestToRun[],
	workshops: readonly Workshop[],
	note: (found: Found) => void,
): Promise<void> {
	for (const workshop of workshops) {
		for (const { file, source, regions, firstRegion } of files) {
			await workshop.write(file, instrumented(source, regions, firstRegion));
		}
	}
	await shareOut(workshops, tests, async ({ suite, path }, workshop) => {
		const outcome = await workshop.run({ suite, path }, PATIENCE, regionCount);
		const { milliseconds = 0, reached = [] } = outcome.state === 'ran' ? outcome : {};
		note({ suite, path, failure: outcome.failure, milliseconds, reached });
	});
	for (const workshop of workshops) {
		for (const { file, source } of files) await workshop.write(file, source.text);
	}
}

/** All test files with what they reach, remembered from earlier runs as far as nothing has changed since. */
export async function testFiles(
	project: Project,
	workshops: readonly Workshop[],
	report: (line: string) => void,
): Promise<TestFile[]> {
	const shared = await digestOfFiles(root, SHARED_SOURCES);
	const paths = globSync(`test/{${SUITES.join()}}/**/*.test.mts`, { cwd: root });
	const tests = await Promise.all(
		paths.sort().map(async (path) => {
			const text = await readFile(join(root, path), 'utf8');
			const suite = SUITES.find((name) => path.startsWith(`test/${name}/`)) ?? 'unit';
			return { suite, path, text, digest: digestOfText(`${shared} ${path} ${text}`) };
		}),
	);
	const old = await readMemory();
	const known = tests.flatMap(({ digest }) =>
		old[digest] ? [[digest, old[digest]] as const] : [],
	);
	const memory: Memory = Object.fromEntries(known);
	const unknown = tests.filter(({ digest }) => !Object.hasOwn(memory, digest));
	if (unknown.length > 0) report(`finding out what ${unknown.length} test files reach`);
	const digests = new Map(tests.map(({ path, digest }) => [path, digest]));
	if (unknown.length > 0) {
		await findOut(project, unknown, workshops, (found) => {
			report(`  ${found.path}: ${found.failure ?? `${found.milliseconds} ms`}`);
			memory[digests.get(found.path) ?? ''] = found;
			keep(memory);
		});
	}
	return tests.flatMap(({ digest, text }) => {
		const found = memory[digest];
		return found ? [{ ...found, text, reached: new Set(found.reached) }] : [];
	});
}
