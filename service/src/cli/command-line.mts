import { parseArgs } from 'node:util';

/** Options by name, with what the help shows behind each; nothing behind a switch. */
export const OPTIONS = {
	rpc: { type: 'string', value: 'URL' },
	'password-file': { type: 'string', value: 'FILE' },
	'phrase-file': { type: 'string', value: 'FILE' },
	name: { type: 'string', value: 'NAME' },
	email: { type: 'string', value: 'EMAIL' },
	expires: { type: 'string', value: '90d, 12h or never' },
	scope: { type: 'string', value: 'read, read,write or operator' },
	'per-call': { type: 'string', multiple: true, value: '"0.1 native"' },
	'per-day': { type: 'string', multiple: true, value: '"250 <token>"' },
	contracts: { type: 'string', multiple: true, value: '<address>,...' },
	functions: { type: 'string', multiple: true, value: '"<name>(<types>)",...' },
	recipients: { type: 'string', multiple: true, value: '<address>,...' },
	from: { type: 'string', value: '<block>' },
	yes: { type: 'boolean', value: '' },
	alone: { type: 'boolean', value: '' },
	help: { type: 'boolean', value: '' },
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
