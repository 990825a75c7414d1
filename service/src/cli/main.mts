#!/usr/bin/env node
import { parse, type Run, type Values } from './command-line.mts';
import { UsageError } from './usage-error.mts';

const USAGE = `wallet-service [serve]                     serve until Ctrl-C
wallet-service init                        create a service: --rpc URL --password-file FILE --phrase-file FILE --yes
wallet-service user add <ID>               --name NAME --email EMAIL
wallet-service user list
wallet-service user disable <ID>
wallet-service token create <user ID>      --expires 90d --scope read,write
wallet-service token list [<user ID>]
wallet-service token revoke <token ID>
wallet-service wallet list
wallet-service wallet export <user ID>     --yes
wallet-service status

The data folder is WALLET_HOME, or .wallet-service in your home folder. The password of the key file is in the file
WALLET_PASSWORD_FILE, or asked for.
`;

interface Command {
	/** Least and most number of arguments behind the name. */
	takes: [least: number, most: number];
	/** The options that the command has. */
	options: (keyof Values)[];
	/** Loads what it needs: a wrong command line is refused at once. */
	load(): Promise<Run>;
}

const people = async () => await import('./people.mts');
const none: Pick<Command, 'takes' | 'options'> = { takes: [0, 0], options: [] };
const one: Pick<Command, 'takes' | 'options'> = { takes: [1, 1], options: [] };

const COMMANDS: Record<string, Command> = {
	serve: { ...none, load: async () => (await import('./serve.mts')).serveCommand },
	init: {
		takes: [0, 0],
		options: ['rpc', 'yes', 'password-file', 'phrase-file'],
		load: async () => (await import('./init.mts')).init,
	},
	status: { ...none, load: async () => (await import('./status.mts')).status },
	'user add': {
		takes: [1, 1],
		options: ['name', 'email'],
		load: async () => (await people()).userAdd,
	},
	'user list': { ...none, load: async () => (await people()).userList },
	'user disable': { ...one, load: async () => (await people()).userDisable },
	'token create': {
		takes: [1, 1],
		options: ['expires', 'scope'],
		load: async () => (await people()).tokenCreate,
	},
	'token list': { takes: [0, 1], options: [], load: async () => (await people()).tokenList },
	'token revoke': { ...one, load: async () => (await people()).tokenRevoke },
	'wallet list': { ...none, load: async () => (await people()).walletList },
	'wallet export': {
		takes: [1, 1],
		options: ['yes'],
		load: async () => (await people()).walletExport,
	},
};

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
		throw new UsageError(`There is no command "${words.join(' ')}": see wallet-service --help`);
	}
	const rest = words.slice(name.split(' ').length);
	const [least, most] = found.takes;
	if (rest.length < least || rest.length > most) {
		throw new UsageError(
			`"${name}" takes ${most === 0 ? 'no argument' : 'one argument'}: see wallet-service --help`,
		);
	}
	const foreign = Object.keys(values).find(
		(option) => !found.options.some((own) => own === option),
	);
	if (foreign !== undefined) throw new UsageError(`"${name}" has no option --${foreign}`);
	const run = await found.load();
	await run(rest[0] ?? '', values, environment);
}

try {
	await main(process.argv.slice(2), process.env);
	process.exit(0);
} catch (error) {
	const [line = ''] = String(error instanceof Error ? error.message : error).split('\n');
	process.stderr.write(`${line}\n`);
	process.exit(1);
}
