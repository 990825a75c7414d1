#!/usr/bin/env node
import { PROGRAM } from '../config/program.mts';
import { parse } from './command-line.mts';
import { COMMANDS, USAGE } from './commands.mts';
import { UsageError } from './usage-error.mts';

/** Why the system refuses a file, in words. */
const REFUSALS: Partial<Record<string, string>> = {
	ENOENT: 'does not exist',
	ENOTDIR: 'is not in a folder',
	EISDIR: 'is a folder, not a file',
	EACCES: 'is not open to the user who runs this',
	EPERM: 'is not open to the user who runs this',
	EROFS: 'cannot be written: the disk is read-only',
	ENOSPC: 'cannot be written: the disk is full',
};

function problemOf(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	const { code = '', path, message }: NodeJS.ErrnoException = error;
	const refusal = REFUSALS[code];
	return path === undefined || refusal === undefined ? message : `${path} ${refusal}`;
}

async function main(args: string[], environment: NodeJS.ProcessEnv): Promise<void> {
	const { values, positionals } = parse(args);
	if (values.help) {
		process.stdout.write(USAGE);
		return;
	}
	const words = positionals.length === 0 ? ['serve'] : positionals;
	const name = [words.slice(0, 2), words.slice(0, 1)]
		.map((part) => part.join(' '))
		.find((one) => Object.hasOwn(COMMANDS, one));
	const found = name === undefined ? undefined : COMMANDS[name];
	if (name === undefined || !found) {
		throw new UsageError(`There is no command "${words.join(' ')}": see ${PROGRAM} --help`);
	}
	const { argument, options = [], load } = found;
	const rest = words.slice(name.split(' ').length);
	const least = argument?.startsWith('<') ? 1 : 0;
	const most = argument === undefined ? 0 : 1;
	if (rest.length < least || rest.length > most) {
		const count = most === 0 ? 'no argument' : 'one argument';
		throw new UsageError(`"${name}" takes ${count}: see ${PROGRAM} --help`);
	}
	const foreign = Object.keys(values).find((option) => !options.some((own) => own === option));
	if (foreign !== undefined) throw new UsageError(`"${name}" has no option --${foreign}`);
	const { commands } = await load();
	await commands[name]?.(rest[0] ?? '', values, environment);
}

try {
	await main(process.argv.slice(2), process.env);
	process.exit(0);
} catch (error) {
	const [line = ''] = problemOf(error).split('\n');
	process.stderr.write(`${line}\n`);
	process.exit(1);
}
