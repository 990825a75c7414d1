#!/usr/bin/env node
import { PROGRAM } from '../config/program.mts';
import { LIMIT_OPTIONS, parse, type Commands, type Values } from './command-line.mts';
import { UsageError } from './usage-error.mts';

const USAGE = `${PROGRAM} <command>

serve                            serve until Ctrl-C; also without a command
init                             create a service: --rpc URL --password-file FILE --phrase-file FILE --yes
user add <ID>                    --name NAME --email EMAIL
user list
user disable <ID>
user enable <ID>
token create <user ID>           --expires 90d --scope read,write or operator
                                 --per-day "250 <token>" --per-call "0.1 native" (each any number of times)
                                 --recipients <address>,... --contracts <address>,... --functions "<name>(<types>)",...
token limits <token ID>
token list [<user ID>]
token revoke <token ID>
wallet list
wallet export <user ID>          --yes
wallet cancel <hash>
wallet reconcile <user ID or address>   --alone: one endpoint decides
history rebuild                  --from <block>
status
backup <file>
verify-backup <file>             --phrase-file FILE

The data folder is WALLET_HOME, or .wallet-service in your home folder. The password of the key file is in the file
WALLET_PASSWORD_FILE, or asked for.
`;

/** Loads what the command needs, the least and most number of arguments behind its name, and its options. */
type Command = [load: () => Promise<Commands>, least: number, most: number, ...(keyof Values)[]];

const init = async () => (await import('./init.mts')).commands;
const serve = async () => (await import('./serve.mts')).commands;
const status = async () => (await import('./status.mts')).commands;
const wallets = async () => (await import('./wallets.mts')).commands;
const backup = async () => (await import('./backup.mts')).commands;
const limits = async () => (await import('./limits.mts')).commands;
const history = async () => (await import('./history.mts')).commands;
const people = async () => (await import('./people.mts')).commands;

// A wrong command line is refused at once, before anything is loaded.
const COMMANDS: Record<string, Command> = {
	serve: [serve, 0, 0],
	init: [init, 0, 0, 'rpc', 'yes', 'password-file', 'phrase-file'],
	status: [status, 0, 0],
	backup: [backup, 1, 1],
	'verify-backup': [backup, 1, 1, 'phrase-file'],
	'user add': [people, 1, 1, 'name', 'email'],
	'user list': [people, 0, 0],
	'user disable': [people, 1, 1],
	'user enable': [people, 1, 1],
	'token create': [people, 1, 1, 'expires', 'scope', ...LIMIT_OPTIONS],
	'token limits': [limits, 1, 1],
	'token list': [people, 0, 1],
	'token revoke': [people, 1, 1],
	'wallet list': [people, 0, 0],
	'wallet export': [people, 1, 1, 'yes'],
	'wallet cancel': [wallets, 1, 1],
	'wallet reconcile': [wallets, 1, 1, 'alone'],
	'history rebuild': [history, 0, 0, 'from'],
};

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
	const [load, least, most, ...options] = found;
	const rest = words.slice(name.split(' ').length);
	if (rest.length < least || rest.length > most) {
		throw new UsageError(
			`"${name}" takes ${most === 0 ? 'no argument' : 'one argument'}: see ${PROGRAM} --help`,
		);
	}
	const foreign = Object.keys(values).find((option) => !options.some((own) => own === option));
	if (foreign !== undefined) throw new UsageError(`"${name}" has no option --${foreign}`);
	await (await load())[name]?.(rest[0] ?? '', values, environment);
}

try {
	await main(process.argv.slice(2), process.env);
	process.exit(0);
} catch (error) {
	const [line = ''] = problemOf(error).split('\n');
	process.stderr.write(`${line}\n`);
	process.exit(1);
}
