/**
 * Mutation testing by StrykerJS: makes small faults in the package, one at a time, and runs the unit and engine tests that
 * reach each of them.
 *
 *   npm run mutate -- [FILE_OR_FOLDER...]   all mutants of these sources; all sources unless given
 *     --sample N --seed S                   only N of them; the same seed picks the same ones
 *     --tests PATTERN                       only test files whose path matches
 *     --workers N                           mutants at a time (2)
 *     --list                                prints the mutants without running tests
 *
 * Exits with 1 if a mutant survived or is not covered.
 */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import type { LogLevel, MutantResult, PartialStrykerOptions } from '@stryker-mutator/api/core';
import { Stryker } from '@stryker-mutator/core';

import { digestOfText } from '../files/digest.mts';
import { localState, root } from '../files/paths.mts';
import type { Plan } from './plan.mts';
import { PLAN } from './plan.mts';

const { values: choice, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		sample: { type: 'string' },
		seed: { type: 'string', default: '1' },
		tests: { type: 'string', default: '' },
		workers: { type: 'string', default: '2' },
		list: { type: 'boolean', default: false },
	},
});

const sources = positionals.length > 0 ? positionals : ['nodes', 'credentials'];

const common: PartialStrykerOptions = {
	plugins: [join(import.meta.dirname, 'plugin.mts')],
	ignorers: ['words'],
	mutate: sources.map((name) => (statSync(name).isDirectory() ? `${name}/**/*.ts` : name)),
	ignorePatterns: ['.local', 'dist', 'docs/images'],
	tempDirName: '.local/mutate',
	cleanTempDir: 'always',
	disableTypeChecks: false,
	logLevel: 'warn' as LogLevel,
	coverageAnalysis: 'perTest',
};

/** The code that a mutant replaces. */
function codeOf({ fileName, location: { start, end } }: MutantResult): string {
	const lines = readFileSync(fileName, 'utf8')
		.split('\n')
		.slice(start.line - 1, end.line);
	lines.push((lines.pop() ?? '').slice(0, end.column - 1));
	return lines.join('\n').slice(start.column - 1);
}

const inShort = (code: string): string => code.replace(/\s+/g, ' ').slice(0, 80);

const describe = (mutant: MutantResult): string => {
	const { fileName, location, replacement = '' } = mutant;
	return `${relative(root, fileName)}:${location.start.line}: ${inShort(codeOf(mutant))} -> ${inShort(replacement)}`;
};

/** A mutant's rank depends on its own code only, so that a sample stays the same when other code changes. */
const rankOf = (mutant: MutantResult): string =>
	digestOfText(
		[choice.seed, relative(root, mutant.fileName), codeOf(mutant), mutant.replacement].join('\n'),
	);

async function listMutants(): Promise<MutantResult[]> {
	const options: PartialStrykerOptions = {
		...common,
		testRunner: 'lister',
		reporters: [],
		logLevel: 'error' as LogLevel,
	};
	const mutants = await new Stryker({ ...options, concurrency: 1 }).runMutationTest();
	return mutants.filter(({ status }) => status === 'NoCoverage');
}

function sampleOf(mutants: readonly MutantResult[]): MutantResult[] {
	if (choice.sample === undefined) return [...mutants];
	const ranked = mutants.map((mutant) => ({ mutant, rank: rankOf(mutant) }));
	const inOrder = ranked.toSorted((one, other) => one.rank.localeCompare(other.rank));
	return inOrder.slice(0, Number(choice.sample)).map(({ mutant }) => mutant);
}

/** Runs the tests for the chosen mutants. */
async function run(
	all: readonly MutantResult[],
	chosen: readonly string[],
): Promise<MutantResult[]> {
	const plan: Plan = {
		sources: Object.fromEntries(all.map(({ id, fileName }) => [id, fileName])),
		chosen,
		tests: choice.tests,
	};
	mkdirSync(localState, { recursive: true });
	process.env[PLAN] = join(localState, 'mutation-plan.json');
	writeFileSync(process.env[PLAN], JSON.stringify(plan));
	const results = await new Stryker({
		...common,
		...{
			testRunner: 'jest-files',
			buildCommand: 'gulp bundle',
			concurrency: Number(choice.workers),
		},
		reporters: ['progress-append-only'],
		...{ timeoutMS: 120_000, timeoutFactor: 3, dryRunTimeoutMinutes: 60 },
	}).runMutationTest();
	return results.filter(({ id }) => chosen.includes(id));
}

function report(results: readonly MutantResult[]): void {
	const count = (state: string): number => results.filter(({ status }) => status === state).length;
	for (const mutant of results.toSorted((one, other) => one.status.localeCompare(other.status))) {
		const { status, coveredBy = [], testsCompleted = 0, killedBy: [killer = ''] = [] } = mutant;
		const tests = `${testsCompleted} of ${coveredBy.length} test files run`;
		console.log(
			`${status.padEnd(10)} ${describe(mutant)} (${[tests, killer.replace(/^.*(?=test\/)/, '')].filter(Boolean).join(', ')})`,
		);
	}
	const killed = count('Killed') + count('Timeout');
	console.log(
		`${killed} killed, ${count('Survived')} survived, ${count('NoCoverage')} not covered, ${results.length} in all`,
	);
	process.exitCode = killed < results.length ? 1 : 0;
}

const all = await listMutants();
const chosen = sampleOf(all);
if (choice.list) {
	chosen.map(describe).forEach((line) => console.log(line));
	console.log(`${chosen.length} of ${all.length} mutants`);
} else {
	const ids = chosen.map(({ id }) => id);
	report(await run(all, ids));
}
