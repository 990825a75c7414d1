/**
 * Jest's environment for mutants: a test file ends with its first failure, no test waits longer than it is told, and the
 * code under test can tell which of its regions are reached.
 */
import { createRequire } from 'node:module';

import { COMPARED, comparer } from './comparer.mts';
import type { Shared } from './orders.mts';
import { SHARED } from './orders.mts';
import { REACHED } from './regions.mts';

interface Timed {
	timeout?: number;
	mode?: string | null;
}

interface TestEvent {
	readonly name: string;
	readonly test?: Timed;
	readonly hook?: Timed;
}

interface Environment {
	readonly global: Record<string, unknown>;
}

/** Jest's own environment, which only jest's packages can see. */
const inJest = ['jest', '@jest/core', 'jest-config'].reduce(
	(require, name) => createRequire(require.resolve(name)),
	createRequire(import.meta.filename),
);
const { TestEnvironment } = inJest('jest-environment-node') as {
	readonly TestEnvironment: new (...settings: unknown[]) => Environment;
};

export default class MutantEnvironment extends TestEnvironment {
	readonly #shared: Shared = Reflect.get(globalThis, SHARED);

	#hasFailed = false;

	constructor(...settings: unknown[]) {
		super(...settings);
		const { reached } = this.#shared;
		const note = (number: number): void => {
			reached[number] = 1;
		};
		this.global[REACHED] = note;
		this.global[COMPARED] = comparer(note);
	}

	handleTestEvent({ name, test, hook }: TestEvent): void {
		if (name === 'test_fn_failure' || name === 'hook_failure') this.#hasFailed = true;
		const { testTimeout } = this.#shared;
		if (name === 'hook_start' && hook)
			hook.timeout = Math.min(hook.timeout ?? Infinity, testTimeout);
		if (name !== 'test_start' || !test) return;
		test.timeout = Math.min(test.timeout ?? Infinity, testTimeout);
		if (this.#hasFailed) test.mode = 'skip';
	}
}
