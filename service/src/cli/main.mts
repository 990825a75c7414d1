#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { tokenCreate, tokenList, tokenRevoke } from './people.mts';
import { userAdd, userDisable, userList, walletExport, walletList } from './people.mts';
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

const OPTIONS = {
	rpc: { type: 'string' },
	'password-file': { type: 'string' },
	'phrase-file': { type: 'string' },
	name: { type: 'string' },
	email: { type: 'string' },
	expires: { type: 'string' },
	scope: { type: 'string' },
	yes: { type: 'boolean' },
	help: { type: 'boolean' },
} as const;

type Values = ReturnType<typeof parse>['values'];

const parse = (args: string[]) =>
	parseArgs({ args, options: OPTIONS, allowPositionals: true, strict: true });

interface Command {
	/** The options that the command has. */
	options: (keyof Values)[];
	/** Least and most number of arguments behind the name. */
	takes: [least: number, most: number];
	run(argument: string, values: Values, environment: NodeJS.ProcessEnv): Promise<void>;
}

const command = (
	takes: Command['takes'],
	options: Command['options'],
	run: Command['run'],
): Command => ({ takes, options, run });

const COMMANDS: Record<string, Command> = {
	serve: command([0, 0], [], async (_argument, _values, env) => {
		// Loaded only if needed: the other commands start faster without the server.
		const { serve } = await import('./serve.mts');
		await serve(env);
	}),
	init: command(
		[0, 0],
		['rpc', 'password-file', 'phrase-file', 'yes'],
		async (_argument, { rpc, yes, ...values }, env) => {
			const files = { passwordFile: values['password-file'], phraseFile: values['phrase-file'] };
			const { init } = await import('./init.mts');
			await init({ rpc, yes, ...files }, env);
		},
	),
	status: command([0, 0], [], async (_argument, _values, env) => {
		const { status } = await import('./status.mts');
		await status(env);
	}),
	'user add': command([1, 1], ['name', 'email'], userAdd),
	'user list': command([0, 0], [], async (_argument, _values, env) => await userList(env)),
	'user disable': command([1, 1], [], async (id, _values, env) => await userDisable(id, env)),
	'token create': command([1, 1], ['expires', 'scope'], tokenCreate),
	'token list': command(
		[0, 1],
		[],
		async (id, _values, env) => await tokenList(id || undefined, env),
	),
	'token revoke': command([1, 1], [], async (id, _values, env) => await tokenRevoke(id, env)),
	'wallet list': command([0, 0], [], async (_argument, _values, env) => await walletList(env)),
	'wallet export': command([1, 1], ['yes'], walletExport),
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
	await found.run(rest[0] ?? '', values, environment);
}

try {
	await main(process.argv.slice(2), process.env);
	process.exit(0);
} catch (error) {
	const [line = ''] = String(error instanceof Error ? error.message : error).split('\n');
	process.stderr.write(`${line}\n`);
	process.exit(1);
}
