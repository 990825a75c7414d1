/** What the command line asks for. */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';

import { readList, readObject } from '../files/json.mts';
import type { Mutant } from './mutants.mts';
import { mutantsOf } from './mutants.mts';
import type { Project, SourceFile } from './project.mts';
import { chooseFiles } from './project.mts';
import { sampleOf } from './sample.mts';

const MAX_WORKERS = 2;

/** What is to be tried. */
export interface Choice {
	readonly files: readonly SourceFile[];
	readonly mutants: readonly Mutant[];
	/** Whether the mutants are only to be named. */
	readonly isList: boolean;
	/** The file to write the result to. */
	readonly json: string | undefined;
	/** How many test runs may go on at a time. */
	readonly workers: number;
}

function wholeNumber(name: string, text: string, most = Infinity): number {
	const number = Number(text);
	if (Number.isInteger(number) && number >= 1 && number <= most) return number;
	const range = most < Infinity ? ` to ${most}` : '';
	throw new Error(`--${name} ${text}: give a whole number from 1${range}`);
}

/** Names of the mutants that an earlier run missed. */
async function missedBefore(file: string): Promise<Set<unknown>> {
	const { mutants } = readObject(JSON.parse(await readFile(file, 'utf8')), file);
	const missed = readList(mutants, 'the mutants').flatMap((mutant) => {
		const { key, state } = readObject(mutant, 'a mutant');
		return state === 'survived' || state === 'unreached' ? [key] : [];
	});
	return new Set(missed);
}

/**
 * Reads the command line.
 *
 * @throws Error in words for whoever wrote it
 */
export async function readCommandLine(project: Project, args: readonly string[]): Promise<Choice> {
	const { values, positionals } = parseArgs({
		args: [...args],
		allowPositionals: true,
		options: {
			list: { type: 'boolean', default: false },
			sample: { type: 'string' },
			seed: { type: 'string', default: '1' },
			again: { type: 'string' },
			json: { type: 'string' },
			workers: { type: 'string', default: String(MAX_WORKERS) },
		},
	});
	if (positionals.length === 0) throw new Error('Name sources or folders of them');
	const files = chooseFiles(project, positionals);
	let mutants = files.flatMap(({ file, source }) => mutantsOf(file, source, project.checker));
	if (values.again !== undefined) {
		const missed = await missedBefore(values.again);
		mutants = mutants.filter(({ key }) => missed.has(key));
	}
	if (values.sample !== undefined) {
		const [size, seed] = [wholeNumber('sample', values.sample), wholeNumber('seed', values.seed)];
		mutants = sampleOf(mutants, size, seed);
	}
	const workers = wholeNumber('workers', values.workers, MAX_WORKERS);
	return { files, mutants, isList: values.list, json: values.json, workers };
}
