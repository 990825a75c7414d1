import { PROGRAM } from '../config/program.mts';
import { LIMIT_OPTIONS, OPTIONS, type Commands, type Values } from './command-line.mts';

/** What the command line takes, and the help shows, of a command. */
interface Command {
	/** What stands behind its name: `<ID>`, or `[<ID>]` if it may be missing. */
	argument?: string;
	options?: readonly Exclude<keyof Values, 'help'>[];
	text: string;
	/** Loads what it needs: a wrong command line is refused at once, before anything is loaded. */
	load: () => Promise<{ commands: Commands }>;
}

const limits = async () => await import('./limits.mts');
const people = async () => await import('./people.mts');
const wallets = async () => await import('./wallets.mts');
const backup = async () => await import('./backup.mts');

/** All commands, in the order of the help. */
export const COMMANDS: Record<string, Command> = {
	serve: {
		text: 'serve until Ctrl-C; also without a command',
		load: async () => await import('./serve.mts'),
	},
	init: {
		options: ['rpc', 'password-file', 'phrase-file', 'yes'],
		text: 'create settings, keys and database',
		load: async () => await import('./init.mts'),
	},
	'user add': {
		argument: '<ID>',
		options: ['name', 'email'],
		text: 'add a user with a new wallet',
		load: people,
	},
	'user list': { text: 'list the users', load: people },
	'user disable': { argument: '<ID>', text: 'refuse all tokens of a user', load: people },
	'user enable': { argument: '<ID>', text: 'accept them again', load: people },
	'token create': {
		argument: '<user ID>',
		options: ['expires', 'scope', ...LIMIT_OPTIONS],
		text: 'print a new access token; limits any number of times',
		load: people,
	},
	'token limits': {
		argument: '<token ID>',
		text: 'print the limits of a token, and what is left',
		load: limits,
	},
	'token list': { argument: '[<user ID>]', text: 'list access tokens', load: people },
	'token revoke': { argument: '<token ID>', text: 'refuse a token from now on', load: people },
	'wallet list': { text: 'list the wallets', load: people },
	'wallet export': {
		argument: '<user ID>',
		options: ['yes'],
		text: 'print a private key',
		load: people,
	},
	'wallet cancel': {
		argument: '<hash>',
		text: 'replace a write that is in no block by an empty transaction',
		load: wallets,
	},
	'wallet reconcile': {
		argument: '<user ID or address>',
		options: ['alone'],
		text: 'open a closed wallet; --alone: one endpoint decides',
		load: wallets,
	},
	'history rebuild': {
		options: ['from'],
		text: 'read the history again',
		load: async () => await import('./history.mts'),
	},
	status: {
		text: 'show writes, closed wallets and problems',
		load: async () => await import('./status.mts'),
	},
	backup: { argument: '<file>', text: 'copy the database', load: backup },
	'verify-backup': {
		argument: '<file>',
		options: ['phrase-file'],
		text: 'check a copy, and that it belongs to the keys',
		load: backup,
	},
};

/** Width of the help's first column. */
const COLUMN = 40;

function usageOf([name, { argument, options = [], text }]: [string, Command]): string[] {
	const call = [name, argument].filter(Boolean).join(' ');
	const shown = options.map((option) => [`--${option}`, OPTIONS[option].value].join(' ').trim());
	return [`${call.padEnd(COLUMN)} ${text}`, ...shown.map((option) => `    ${option}`)];
}

/** What `--help` prints. */
export const USAGE = `${PROGRAM} <command>

${Object.entries(COMMANDS).flatMap(usageOf).join('\n')}

The data folder is WALLET_HOME, or .wallet-service in your home folder. The password of the key file is in the file
WALLET_PASSWORD_FILE, or asked for.
`;
