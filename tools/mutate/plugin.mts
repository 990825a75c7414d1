/** Plugin of StrykerJS: runs the unit and engine tests by jest, whole files at a time. */
import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { CoverageData } from '@stryker-mutator/api/core';
import type { Logger } from '@stryker-mutator/api/logging';
import {
	commonTokens,
	declareClassPlugin,
	declareValuePlugin,
	PluginKind,
	tokens,
} from '@stryker-mutator/api/plugin';
import type {
	DryRunResult,
	MutantRunOptions,
	MutantRunResult,
	TestRunner,
} from '@stryker-mutator/api/test-runner';
import { DryRunStatus, MutantRunStatus, TestStatus } from '@stryker-mutator/api/test-runner';
import { runCLI } from 'jest';

import type { FileCoverage } from './environment.mts';
import { COVERAGE_FOLDER, coverageFile, HIT_LIMIT } from './environment.mts';
import type { Plan } from './plan.mts';
import { readPlan } from './plan.mts';
import { wordsForPeople } from './words.mts';

const own = (name: string): string => join(import.meta.dirname, name);

const ACTIVE_MUTANT = '__STRYKER_ACTIVE_MUTANT__';

interface FileResult {
	readonly path: string;
	readonly milliseconds: number;
	/** The first failure. */
	readonly failure: string | undefined;
}

/** Runs test files in jest's own worker processes, whose memory is bounded. */
async function runFiles(paths: readonly string[], maxWorkers: number): Promise<FileResult[]> {
	const copy = process.cwd();
	const { default: jest } = await import(join(copy, 'jest.config.mjs'));
	const [project] = jest.projects;
	const config = {
		...project,
		displayName: 'mutants',
		testMatch: ['unit', 'engine'].map((suite) => `<rootDir>/test/${suite}/**/*.test.mts`),
		testEnvironment: own('environment.mts'),
		setupFilesAfterEnv: [own('before-tests.mts')],
		workerIdleMemoryLimit: '1GB',
	};
	const argv = {
		...{ _: [...paths], $0: 'jest', config: JSON.stringify(config), runTestsByPath: true },
		...{ watchman: false, silent: true, reporters: [], maxWorkers },
	};
	const { results } = await runCLI(argv as Parameters<typeof runCLI>[0], [copy]);
	return results.testResults.map((result) => ({
		path: result.testFilePath,
		milliseconds: result.perfStats.runtime,
		failure: result.failureMessage ?? result.testExecError?.message,
	}));
}

/**
 * The chosen mutants that a test file covers. Code that runs only while the package is loaded counts as covered by unit tests
 * that load it, and by tests that run other code of the same source.
 */
function coverageOf(path: string, { loaded, run }: FileCoverage, plan: Plan): CoverageData {
	const sources = new Set(Object.keys(run).map((id) => plan.sources[id]));
	const isUnit = path.includes('/test/unit/');
	return Object.fromEntries(
		plan.chosen.flatMap((id) => {
			const hits = run[id] ?? (isUnit || sources.has(plan.sources[id]) ? loaded[id] : undefined);
			return hits === undefined ? [] : [[id, hits]];
		}),
	);
}

/** Works in the copy of the repository, the working directory. */
class JestFiles implements TestRunner {
	static inject = tokens(commonTokens.logger);

	readonly #log: Logger;

	/** Test files that killed a mutant of a source: they are the first to run for the next one. */
	readonly #killers = new Map<string, Set<string>>();

	constructor(log: Logger) {
		this.#log = log;
	}

	capabilities = () => ({ reloadEnvironment: true });

	async dryRun(): Promise<DryRunResult> {
		const copy = process.cwd();
		const plan = readPlan();
		const folder = join(copy, '.local', 'coverage');
		process.env[COVERAGE_FOLDER] = folder;
		const pattern = new RegExp(plan.tests);
		const paths = globSync(join(copy, 'test/{unit,engine}/**/*.test.mts')).filter((path) =>
			pattern.test(path.slice(copy.length)),
		);
		const results = await runFiles(paths, availableParallelism());
		process.env[COVERAGE_FOLDER] = '';
		for (const { path, failure } of results)
			if (failure) this.#log.warn(`Left out, fails without a mutant: ${path}\n${failure}`);
		const sound = results
			.filter(({ failure }) => !failure)
			.toSorted((one, other) => one.milliseconds - other.milliseconds);
		const perTest = sound.map(({ path }) => {
			const coverage: FileCoverage = JSON.parse(readFileSync(coverageFile(folder, path), 'utf8'));
			return [path, coverageOf(path, coverage, plan)];
		});
		return {
			status: DryRunStatus.Complete,
			tests: sound.map(({ path, milliseconds }) => ({
				...{ id: path, name: path.slice(copy.length + 1), fileName: path },
				...{ status: TestStatus.Success, timeSpentMs: milliseconds },
			})),
			mutantCoverage: { static: {}, perTest: Object.fromEntries(perTest) },
		};
	}

	async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
		const { activeMutant, testFilter = [], hitLimit = Infinity } = options;
		const killers = this.#killers.get(activeMutant.fileName) ?? new Set();
		this.#killers.set(activeMutant.fileName, killers);
		process.env[ACTIVE_MUTANT] = activeMutant.id;
		process.env[HIT_LIMIT] = String(hitLimit);
		const first = testFilter.filter((path) => killers.has(path));
		const paths = [...first, ...testFilter.filter((path) => !killers.has(path))];
		// Most mutants are killed by one of the first files; few calls of jest suffice for the others.
		for (let [start, size] = [0, 1]; start < paths.length; start += size, size += start) {
			const results = await runFiles(paths.slice(start, start + size), 1);
			const killer = results.find(({ failure }) => failure);
			if (!killer) continue;
			killers.add(killer.path);
			return {
				status: MutantRunStatus.Killed,
				killedBy: [killer.path],
				failureMessage: killer.failure ?? '',
				nrOfTests: start + results.length,
			};
		}
		return { status: MutantRunStatus.Survived, nrOfTests: paths.length };
	}
}

/** Covers nothing: Stryker then lists the mutants without running one. */
class Lister implements TestRunner {
	capabilities = () => ({ reloadEnvironment: true });

	async dryRun(): Promise<DryRunResult> {
		const test = { id: 'none', name: 'none', timeSpentMs: 0, status: TestStatus.Success } as const;
		const mutantCoverage = { static: {}, perTest: {} };
		return { status: DryRunStatus.Complete, tests: [test], mutantCoverage };
	}

	async mutantRun(): Promise<MutantRunResult> {
		throw new Error('Mutants are listed, not run');
	}
}

export const strykerPlugins = [
	declareClassPlugin(PluginKind.TestRunner, 'jest-files', JestFiles),
	declareClassPlugin(PluginKind.TestRunner, 'lister', Lister),
	declareValuePlugin(PluginKind.Ignore, 'words', wordsForPeople),
];
