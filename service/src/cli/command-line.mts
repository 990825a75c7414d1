import { parseArgs } from 'node:util';

const OPTIONS = {
	rpc: { type: 'string' },
	'password-file': { type: 'string' },
	'phrase-file': { type: 'string' },
	name: { type: 'string' },
	email: { type: 'string' },
	expires: { type: 'string' },
	scope: { type: 'string' },
	'per-call': { type: 'string', multiple: true },
	'per-day': { type: 'string', multiple: true },
	contracts: { type: 'string', multiple: true },
	functions: { type: 'string', multiple: true },
	recipients: { type: 'string', multiple: true },
	from: { type: 'string' },
	yes: { type: 'boolean' },
	alone: { type: 'boolean' },
	help: { type: 'boolean' },
} as const;

/** The options that limit an access token. */
export const LIMIT_OPTIONS = [
	'per-day',
	'per-call',
	'recipients',
	'contracts',
	'functions',
] as const;

export const parse = (args: string[]) =>
	parseArgs({ args, options: OPTIONS, allowPositionals: true, strict: true });

/** The options of a command line. */
export type Values = ReturnType<typeof parse>['values'];

/** A command. @param argument what stands behind the name; empty if there is nothing */
export type Run = (
	argument: string,
	values: Values,
	environment: NodeJS.ProcessEnv,
) => Promise<void>;

/** Commands by name. */
export type Commands = Record<string, Run>;
