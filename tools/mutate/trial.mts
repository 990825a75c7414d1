import { basename } from 'node:path';

import type { Mutant } from './mutants.mts';
import { mutated } from './mutants.mts';
import type { ReachingTest } from './test-files.mts';
import { PATIENCE } from './test-files.mts';
import type { Outcome } from './test-process.mts';
import type { TestToRun, Workshop } from './workshop.mts';

/** What became of a mutant. */
export const STATES = ['killed', 'timed out', 'type error', 'survived', 'unreached'] as const;

/** See {@link STATES}; a `type error` cannot be built, although no test noticed it. */
export type State = (typeof STATES)[number];

/** What became of a mutant, and how that was found out. */
export interface Verdict {
	readonly mutant: Mutant;
	readonly state: State;
	/** The test files that reach it. */
	readonly reachedBy: readonly string[];
	/** The test files that were run, the last of which found it when it was found. */
	readonly tests: readonly string[];
	/** The first test that failed. */
	readonly failure: string | undefined;
	readonly milliseconds: number;
}

/** What jest says when it stops waiting for a test. */
const STOPPED_WAITING = /Exceeded timeout of/;

/** Longest time that one test may take, by what its whole file takes without a fault, both in milliseconds. */
const limitOf = (milliseconds: number): number => 10_000 + 3 * milliseconds;

/** Whether tests did not end by themselves. */
const hasHung = ({ state, failure = '' }: Outcome): boolean =>
	state === 'timed out' || STOPPED_WAITING.test(failure);

/** How often a test file was run for a source file, and how often it found something. */
interface Experience {
	runs: number;
	finds: number;
}

/** The name of a file without its ending. */
const nameOf = (path: string): string => basename(path).replace(/\..*/, '');

/** A mutant that is to be tried. */
export interface Trial {
	readonly mutant: Mutant;
	/** Its file as it is without it. */
	readonly source: string;
	/** The tests that reach it. */
	readonly reaching: readonly ReachingTest[];
	/** Those of them that could notice it. */
	readonly noticing: readonly ReachingTest[];
	/** Whether the compiler refuses it. */
	isRefused(): boolean;
}

/**
 * Runs a test file on the sound code.
 *
 * @returns the time that it takes, in milliseconds
 * @throws Error when it fails: something is wrong with the machine, and nothing can be said of mutants
 */
export async function runSound(test: TestToRun, workshop: Workshop): Promise<number> {
	const outcome = await workshop.run(test, PATIENCE);
	if (outcome.state === 'ran' && outcome.failure === undefined) return outcome.milliseconds;
	throw new Error(`${test.path} fails without any fault now: ${outcome.failure}`);
}

/** Tries mutants, and learns which test files find those of a source file. */
export class Trials {
	readonly #experiences = new Map<string, Experience>();

	/** What test files take without a fault where the machine was slower than at first, in milliseconds. */
	readonly #slower = new Map<string, number>();

	#experience({ file }: Mutant, { path }: ReachingTest): Experience {
		const key = `${file} ${path}`;
		const isNamesake = nameOf(path) === nameOf(file);
		const experience = this.#experiences.get(key) ?? { runs: 0, finds: isNamesake ? 1 : 0 };
		this.#experiences.set(key, experience);
		return experience;
	}

	/** Test files in the order in which the least time is lost: the fastest first, and those that found others before. */
	#ordered(mutant: Mutant, tests: readonly ReachingTest[]): ReachingTest[] {
		const cost = (test: ReachingTest): number => {
			const { runs, finds } = this.#experience(mutant, test);
			return (test.milliseconds * (runs + 1)) / (finds + 0.5);
		};
		return tests
			.map((test) => ({ test, cost: cost(test) }))
			.sort((one, other) => one.cost - other.cost)
			.map(({ test }) => test);
	}

	/** Runs a test file on a mutant. When it does not end well, the sound code tells whether the mutant is to blame. */
	async #runTest(
		mutant: Mutant,
		source: string,
		test: ReachingTest,
		workshop: Workshop,
	): Promise<Outcome> {
		const limit = limitOf(this.#slower.get(test.path) ?? test.milliseconds);
		const outcome = await workshop.run(test, limit);
		if (!hasHung(outcome) && outcome.state !== 'crashed') return outcome;
		await workshop.write(mutant.file, source);
		const milliseconds = await runSound(test, workshop);
		await workshop.write(mutant.file, mutated(source, mutant));
		if (limitOf(milliseconds) <= limit) return outcome;
		this.#slower.set(test.path, milliseconds);
		return await workshop.run(test, limitOf(milliseconds));
	}

	/** Runs tests on a mutant until one of them fails. */
	async run(
		{ mutant, source, reaching, noticing, isRefused }: Trial,
		workshop: Workshop,
	): Promise<Verdict> {
		const before = performance.now();
		const run: string[] = [];
		const verdict = (state: State, failure?: string): Verdict => {
			const milliseconds = Math.round(performance.now() - before);
			const reachedBy = reaching.map(({ path }) => path);
			return { mutant, state, reachedBy, tests: run, failure, milliseconds };
		};
		await workshop.write(mutant.file, mutated(source, mutant));
		try {
			for (const test of this.#ordered(mutant, noticing)) {
				// Most are found by the first test file; for the others the compiler is the quickest to ask.
				if (run.length === 1 && isRefused()) return verdict('type error');
				const outcome = await this.#runTest(mutant, source, test, workshop);
				if (outcome.state === 'not built') return verdict('type error', outcome.failure);
				run.push(test.path);
				const experience = this.#experience(mutant, test);
				experience.runs += 1;
				if (outcome.failure === undefined) continue;
				experience.finds += 1;
				return verdict(hasHung(outcome) ? 'timed out' : 'killed', outcome.failure);
			}
			if (run.length <= 1 && isRefused()) return verdict('type error');
			return verdict(reaching.length === 0 ? 'unreached' : 'survived');
		} finally {
			await workshop.write(mutant.file, source);
		}
	}
}
