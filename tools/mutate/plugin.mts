/**
 * Plugin of StrykerJS: runs the unit and engine tests in jest, whole files at a time, and ignores wording for people.
 * `@stryker-mutator/jest-runner` would load every test file for each mutant.
 */
import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { CoverageData } from '@stryker-mutator/api/core';
import type { Ignorer } from '@stryker-mutator/api/ignore';
import type { Logger } from '@stryker-mutator/api/logging';
import type { Reporter } from '@stryker-mutator/api/report';
import {
	commonTokens,
	declareClassPlugin,
	declareValuePlugin,
	PluginKind,
	tokens,
} from '@stryker-mutator/api/plugin';
import type { MutantRunOptions, TestRunner } from '@stryker-mutator/api/test-runner';
import { DryRunStatus, MutantRunStatus, TestStatus } from '@stryker-mutator/api/test-runner';
import { runCLI } from 'jest';

import { COVERAGE_FOLDER, coverageFile, HIT_LIMIT, type FileCoverage } from './environment.mts';

/** Environment variable that holds the path of the {@link Plan} file. */
export const PLAN = 'WALLET_SERVICE_MUTATION_PLAN';

/** StrykerJS's own environment variable for the ID of the active mutant. */
const ACTIVE_MUTANT = '__STRYKER_ACTIVE_MUTANT__';

/** Settings of a run that StrykerJS has no options for. */
export interface Plan {
	/** Source file of each mutant, by the mutant's ID. */
	readonly sources: Readonly<Record<string, string>>;
	/** IDs of the mutants to run. */
	readonly chosen: readonly string[];
}

/** Runs test files in jest's worker processes, whose memory is bounded. Never rejects because of a failed test. */
async function runFiles(paths: readonly string[], maxWorkers: number) {
	const copy = process.cwd();
	const { default: jest } = await import(join(copy, 'jest.config.mjs'));
	const config = {
		...jest.projects[0],
		displayName: 'mutants',
		testMatch: ['<rootDir>/test/{unit,engine}/**/*.test.mts'],
		testEnvironment: join(import.meta.dirname, 'environment.mts'),
		setupFilesAfterEnv: [join(import.meta.dirname, 'before-tests.mts')],
		testTimeout: jest.testTimeout,
		workerIdleMemoryLimit: '1GB',
	};
	const argv = {
		_: [...paths],
		$0: 'jest',
		config: JSON.stringify(config),
		runTestsByPath: true,
		watchman: false,
		silent: true,
		reporters: [],
		maxWorkers,
	};
	const { results } = await runCLI(argv as Parameters<typeof runCLI>[0], [copy]);
	return results.testResults.map((result) => ({
		path: result.testFilePath,
		milliseconds: result.perfStats.runtime,
		failure: result.failureMessage ?? result.testExecError?.message,
	}));
}

/**
 * Hits of the chosen mutants that a test file covers. Code that runs only while the package is loaded counts as covered by
 * unit tests that load it, and by tests that run other code of the same source.
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

/** Runs in StrykerJS's copy of the repository, its working directory. To StrykerJS, each test file is one test. */
class JestFiles implements TestRunner {
	static inject = tokens(commonTokens.logger);

	readonly #log: Logger;

	/** Test files that killed a mutant, by source: they run first for the source's next mutant. */
	readonly #killers = new Map<string, Set<string>>();

	constructor(log: Logger) {
		this.#log = log;
	}

	capabilities = () => ({ reloadEnvironment: true });

	/** Determines the coverage of each test file. Without a plan nothing runs: StrykerJS then only lists the mutants. */
	async dryRun() {
		const planFile = process.env[PLAN];
		const files = planFile === undefined ? [] : await this.#findCoverage(planFile);
		const tests = files.length > 0 ? files : [{ path: 'none', milliseconds: 0, coverage: {} }];
		const perTest = Object.fromEntries(tests.map(({ path, coverage }) => [path, coverage]));
		return {
			status: DryRunStatus.Complete as const,
			tests: tests.map(({ path: id, milliseconds: timeSpentMs }) => {
				return { id, name: id, timeSpentMs, status: TestStatus.Success as const };
			}),
			mutantCoverage: { static: {}, perTest },
		};
	}

	/** Runs all test files; returns the coverage of those that pass, fastest first. */
	async #findCoverage(planFile: string) {
		const plan: Plan = JSON.parse(readFileSync(planFile, 'utf8'));
		const folder = join(process.cwd(), '.local', 'coverage');
		const paths = globSync(join(process.cwd(), 'test/{unit,engine}/**/*.test.mts'), {
			// It measures the node's work, to which the switch of each mutant adds.
			exclude: ['**/long-texts.test.mts'],
		});
		process.env[COVERAGE_FOLDER] = folder;
		const results = await runFiles(paths, availableParallelism());
		process.env[COVERAGE_FOLDER] = '';
		for (const { path, failure } of results)
			if (failure) this.#log.warn(`Left out, fails without a mutant: ${path}\n${failure}`);
		return results
			.filter(({ failure }) => !failure)
			.toSorted((one, other) => one.milliseconds - other.milliseconds)
			.map(({ path, milliseconds }) => {
				const coverage: FileCoverage = JSON.parse(readFileSync(coverageFile(folder, path), 'utf8'));
				return { path, milliseconds, coverage: coverageOf(path, coverage, plan) };
			});
	}

	/** True if a test file also exceeds its time limit without the mutant, for example under load. */
	async #isSlow(path: string, failure: string): Promise<boolean> {
		if (!failure.includes('Exceeded timeout')) return false;
		const mutant = process.env[ACTIVE_MUTANT];
		process.env[ACTIVE_MUTANT] = '';
		const results = await runFiles([path], 1);
		process.env[ACTIVE_MUTANT] = mutant;
		return results.some((result) => result.failure);
	}

	/** Runs the test files that cover a mutant until one fails. */
	async mutantRun({ activeMutant, testFilter = [], hitLimit = Infinity }: MutantRunOptions) {
		const killers = this.#killers.get(activeMutant.fileName) ?? new Set();
		this.#killers.set(activeMutant.fileName, killers);
		process.env[ACTIVE_MUTANT] = activeMutant.id;
		process.env[HIT_LIMIT] = String(hitLimit);
		const first = testFilter.filter((path) => killers.has(path));
		const paths = [...first, ...testFilter.filter((path) => !killers.has(path))];
		// Most mutants are killed by one of the first files; for the others, larger groups start jest less often.
		for (let [start, size] = [0, 1]; start < paths.length; start += size, size += start) {
			const results = await runFiles(paths.slice(start, start + size), 1);
			for (const { path, failure = '' } of results) {
				if (failure === '' || (await this.#isSlow(path, failure))) continue;
				killers.add(path);
				const reason = { killedBy: [path], failureMessage: failure };
				const nrOfTests = start + results.length;
				return { status: MutantRunStatus.Killed as const, ...reason, nrOfTests };
			}
		}
		return { status: MutantRunStatus.Survived as const, nrOfTests: paths.length };
	}
}

/** Properties with text for people. */
const FOR_PEOPLE = /^(message|hint|description|displayName|placeholder|action|subtitle)$/;

/** Three words in a row. */
const SENTENCE = /\p{L}+[,:]?\s+\S+\s+\S/u;

/** The members of Babel's path used here. */
interface Path {
	readonly node: {
		readonly type: string;
		readonly value?: unknown;
		readonly key?: { readonly name?: string };
		readonly quasis?: readonly { readonly value: { readonly raw: string } }[];
	};
	readonly parentPath?: Path;
}

/** Ignores wording for people: the code's behaviour does not depend on it. */
const wording: Ignorer = {
	shouldIgnore(path) {
		const { node, parentPath } = path as Path;
		if (node.type !== 'StringLiteral' && node.type !== 'TemplateLiteral') return undefined;
		const text = node.quasis?.map(({ value }) => value.raw).join('_') ?? String(node.value);
		const { type, key } = parentPath?.node ?? {};
		const isForPeople = type === 'ObjectProperty' && FOR_PEOPLE.test(key?.name ?? '');
		return isForPeople || SENTENCE.test(text) ? 'Wording for people' : undefined;
	},
};

/** Told the result of each mutant as soon as it is known. */
export const reporter: Reporter = {};

export const strykerPlugins = [
	declareClassPlugin(PluginKind.TestRunner, 'jest-files', JestFiles),
	declareValuePlugin(PluginKind.Ignore, 'wording', wording),
	declareValuePlugin(PluginKind.Reporter, 'each', reporter),
];
