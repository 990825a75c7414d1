import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { digestOfFiles } from '../files/digest.mts';
import { root } from '../files/paths.mts';
import { SUITES } from './orders.mts';
import type { TestToRun } from './workshop.mts';

/** Longest time that one test may take without a fault, in milliseconds. */
export const PATIENCE = 300_000;

/** A test file as it is. */
export interface TestFile extends TestToRun {
	readonly text: string;
	/** Changes whenever something changes that the test's run depends on. */
	readonly version: string;
}

/** A test file, and what of the code it reaches when there is no fault. */
export interface ReachingTest extends TestFile {
	readonly milliseconds: number;
	/** Numbers of the regions that it reaches. */
	readonly reached: ReadonlySet<number>;
}

/** What all test files depend on. */
const SHARED_SOURCES = [
	...['nodes/**/*.ts', 'credentials/**/*.ts', 'sandbox/src/**', 'sandbox/contracts/**'],
	...['test/{unit,engine}/**/!(*.test).mts', 'package.json', 'pnpm-lock.yaml', 'gulpfile.js'],
	...['jest.config.mjs', 'tools/mutate/{project,regions,environment}.mts'],
];

/** All test files of the suites that are run. */
export async function readTestFiles(): Promise<TestFile[]> {
	const shared = await digestOfFiles(root, SHARED_SOURCES);
	return await Promise.all(
		SUITES.flatMap((suite) =>
			globSync(`test/${suite}/**/*.test.mts`, { cwd: root })
				.sort()
				.map(async (path) => {
					const text = await readFile(join(root, path), 'utf8');
					return { suite, path, text, version: `${shared} ${path} ${text}` };
				}),
		),
	);
}
