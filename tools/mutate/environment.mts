/**
 * Jest environment for mutants: it records separately which mutants are reached while a test file loads and which are
 * reached by its tests, and skips the rest of a file after its first failure.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import type { CoverageData, MutantCoverage } from '@stryker-mutator/api/core';

import SharedRealm, { type Config } from '../jest/environment.mts';

/** Environment variables set by the plugin. */
export const COVERAGE_FOLDER = 'WALLET_SERVICE_MUTATION_COVERAGE';
export const HIT_LIMIT = 'WALLET_SERVICE_MUTATION_HIT_LIMIT';

/** Hits of each mutant that a test file reaches. */
export interface FileCoverage {
	readonly loaded: CoverageData;
	readonly run: CoverageData;
}

/** Path of the file that holds the coverage of a test file. */
export const coverageFile = (folder: string, testPath: string): string =>
	`${folder}/${encodeURIComponent(testPath)}.json`;

interface TestEvent {
	readonly name: string;
	readonly test?: { mode?: string | null };
}

export default class MutantEnvironment extends SharedRealm {
	readonly #testPath: string;

	/** Shared with the instrumented code; see `INSTRUMENTER_CONSTANTS` of StrykerJS. */
	readonly #namespace: {
		readonly hitLimit: number;
		readonly hitCount: number;
		currentTestId?: string;
		readonly mutantCoverage?: MutantCoverage;
	};

	#hasFailed = false;

	constructor(config: Config, context: { readonly testPath: string }) {
		super(config, context);
		this.#testPath = context.testPath;
		this.#namespace = { hitLimit: Number(process.env[HIT_LIMIT] ?? Infinity), hitCount: 0 };
		Reflect.set(globalThis, '__stryker__', this.#namespace);
	}

	handleTestEvent({ name, test }: TestEvent): void {
		if (name === 'run_start') this.#namespace.currentTestId = 'run';
		if (name === 'test_fn_failure' || name === 'hook_failure') this.#hasFailed = true;
		if (name === 'test_start' && test && this.#hasFailed) test.mode = 'skip';
	}

	override async teardown(): Promise<void> {
		const folder = process.env[COVERAGE_FOLDER];
		if (folder) {
			const { static: loaded = {}, perTest = {} } = this.#namespace.mutantCoverage ?? {};
			const coverage: FileCoverage = { loaded, run: perTest.run ?? {} };
			mkdirSync(folder, { recursive: true });
			writeFileSync(coverageFile(folder, this.#testPath), JSON.stringify(coverage));
		}
		await super.teardown();
	}
}
