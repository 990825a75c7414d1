/**
 * Mutation testing with StrykerJS: introduces small faults into the package, one at a time, and runs the unit and engine
 * test files that reach each of them.
 *
 *   npm run mutate -- [FILE_OR_FOLDER...]   all mutants of these sources, by default of all sources
 *     --sample N --seed S                   only N of them; the same seed picks the same ones
 *
 * Exits with 1 if a mutant survived or is not covered.
 */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import type { LogLevel, MutantResult, PartialStrykerOptions } from '@stryker-mutator/api/core';
import { Stryker } from '@stryker-mutator/core';

import { digestOfText } from '../files/digest.mts';
import { localState, root } from '../files/paths.mts';
import { PLAN, reporter, type Plan } from './plugin.mts';

const { values: choice, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		sample: { type: 'string' },
		seed: { type: 'string', default: '1' },
	},
});

const sources = positionals.length > 0 ? positionals : ['nodes', 'credentials'];
/** Folder for the plan and StrykerJS's copies of the repository. */
const folder = join(localState, 'mutate');

/** Runs StrykerJS; returns the mutants with their results. */
async function stryker(options: PartialStrykerOptions): Promise<MutantResult[]> {
	return await new Stryker({
		plugins: [join(import.meta.dirname, 'plugin.mts')],
		testRunner: 'jest-files',
		ignorers: ['wording'],
		mutate: sources.map((name) => (statSync(name).isDirectory() ? `${name}/**/*.ts` : name)),
		ignorePatterns: ['.local', 'dist', 'docs/images'],
		tempDirName: relative(root, folder),
		cleanTempDir: 'always',
		disableTypeChecks: false,
		coverageAnalysis: 'perTest',
		concurrency: availableParallelism(),
		timeoutMS: 120_000,
		timeoutFactor: 3,
		dryRunTimeoutMinutes: 60,
		...options,
	}).runMutationTest();
}

/** The code that a mutant replaces. */
function codeOf({ fileName, location: { start, end } }: MutantResult): string {
	const source = readFileSync(fileName, 'utf8').split('\n');
	const lines = source.slice(start.line - 1, end.line);
	lines.push((lines.pop() ?? '').slice(0, end.column - 1));
	return lines.join('\n').slice(start.column - 1);
}

const inShort = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 120);

function describe(mutant: MutantResult): string {
	const place = `${relative(root, mutant.fileName)}:${mutant.location.start.line}`;
	return `${place}: ${inShort(codeOf(mutant))} -> ${inShort(mutant.replacement)}`;
}

/** A mutant's rank depends on its own code only, so that a sample remains the same if other code changes. */
function rankOf(mutant: MutantResult): string {
	const file = relative(root, mutant.fileName);
	return digestOfText([choice.seed, file, codeOf(mutant), mutant.replacement].join('\n'));
}

function sampleOf(mutants: readonly MutantResult[]): MutantResult[] {
	if (choice.sample === undefined) return [...mutants];
	return mutants
		.map((mutant) => ({ mutant, rank: rankOf(mutant) }))
		.toSorted((one, other) => one.rank.localeCompare(other.rank))
		.slice(0, Number(choice.sample))
		.map(({ mutant }) => mutant);
}

/** Prints a mutant's result. */
function report(result: MutantResult, text: string): void {
	const { status, coveredBy = [], testsCompleted = 0, killedBy: [killer = ''] = [] } = result;
	const reason = inShort(stripVTControlCharacters(result.statusReason ?? ''));
	const by = killer && `, ${killer.replace(/^.*(?=test\/)/, '')}: ${reason}`;
	console.log(`${status.padEnd(10)} ${text}`);
	console.log(`           ${testsCompleted} of ${coveredBy.length} test files run${by}`);
}

/** Runs the tests on the chosen mutants, described by their IDs, and prints the results. */
async function run(all: readonly MutantResult[], chosen: Map<string, string>): Promise<void> {
	const sourceOf = Object.fromEntries(all.map(({ id, fileName }) => [id, fileName]));
	const plan: Plan = { sources: sourceOf, chosen: [...chosen.keys()] };
	const planFile = join(folder, 'plan.json');
	mkdirSync(folder, { recursive: true });
	writeFileSync(planFile, JSON.stringify(plan));
	process.env[PLAN] = planFile;
	reporter.onMutantTested = (result) => {
		if (chosen.has(result.id)) report(result, chosen.get(result.id) ?? '');
	};
	const logLevel = 'warn' as LogLevel;
	const result = await stryker({ buildCommand: 'gulp bundle', reporters: ['each'], logLevel });
	const results = result.filter(({ id }) => chosen.has(id));
	const count = (state: string): number => results.filter(({ status }) => status === state).length;
	const killed = count('Killed') + count('Timeout');
	const others = `${count('Survived')} survived, ${count('NoCoverage')} not covered`;
	console.log(`${killed} killed, ${others}, ${results.length} in all`);
	process.exitCode = killed < results.length ? 1 : 0;
}

// An interrupted run leaves its copy behind.
rmSync(folder, { recursive: true, force: true });
const listed = await stryker({ reporters: [], logLevel: 'error' as LogLevel });
const all = listed.filter(({ status }) => status === 'NoCoverage');
const chosen = sampleOf(all);
// The descriptions are written now, because the sources may change while the tests run.
const descriptions = new Map(chosen.map((mutant) => [mutant.id, describe(mutant)]));
await run(all, descriptions);
