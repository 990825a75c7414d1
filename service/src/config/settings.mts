import { chmod, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseEther } from 'ethers';
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/schema';
import { Closed } from '../schemas/closed.mts';
import { PROGRAM } from './program.mts';
import { readTextFile } from './text-file.mts';

const Url = (description: string) => Type.String({ pattern: '^https?://[^\\s]+$', description });

/** The symbol of a coin. */
export const SYMBOL = /^[A-Za-z0-9]{1,11}$/;

const Amount = (description: string) =>
	Type.String({ pattern: '^\\d{1,9}(\\.\\d{1,9})?$', description });

const Coins = (description: string) =>
	Type.String({ pattern: '^\\d{1,9}(\\.\\d{1,18})?$', description });

const GasStation = Closed({
	user: Type.String({ description: 'ID of the user whose wallet pays.' }),
	below: Coins('Native coin below which a wallet is topped up.'),
	upTo: Coins('Native coin that it has afterwards.'),
	perDay: Coins('Native coin that all top-ups of 24 hours may cost together, gas included.'),
});

export type GasStationSettings = Static<typeof GasStation>;

/** The settings, as in `config.json`. */
const Schema = Closed({
	rpc: Type.Array(Url('JSON-RPC endpoint.'), { minItems: 1 }),
	database: Type.Optional(
		Type.String({ pattern: '^postgres(ql)?://', description: 'URL of a PostgreSQL server.' }),
	),
	host: Type.String({ minLength: 1, description: 'Address to listen on.' }),
	port: Type.Integer({ minimum: 0, maximum: 65_535 }),
	publicUrl: Type.Optional(Url('Address at which callers reach the service.')),
	explorer: Type.Optional(Url('Block explorer.')),
	explorerPages: Type.Optional(Type.Boolean()),
	network: Type.Optional(Type.String({ pattern: '^[a-z0-9-]+$' })),
	symbol: Type.Optional(Type.String({ pattern: SYMBOL.source })),
	depth: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000 })),
	maxGasPrice: Type.Optional(Amount('Highest price of a unit of gas, in gwei.')),
	maxGasCost: Type.Optional(Amount('Highest cost of the gas of one write, in native coin.')),
	minTip: Type.Optional(Amount('Lowest priority fee of a unit of gas, in gwei.')),
	transactionType: Type.Optional(Type.Literal(0)),
	lowGas: Type.Optional(Amount('Native coin below which a wallet in use is reported.')),
	gasStation: Type.Optional(GasStation),
	metricsPort: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
	requestsPerMinute: Type.Integer({ minimum: 0, maximum: 10_000_000 }),
	proxies: Type.Array(Type.String({ pattern: '^[0-9a-fA-F.:]+(/\\d{1,3})?$' })),
	writeTtlSeconds: Type.Integer({ minimum: 0, maximum: 31_536_000 }),
	logLevel: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
	historyBlocks: Type.Integer({ minimum: 0, maximum: 100_000_000 }),
});

export type Settings = Static<typeof Schema>;

const schema = Compile(Schema);

const DEFAULTS: Omit<Settings, 'rpc'> = {
	host: '127.0.0.1',
	port: 4020,
	requestsPerMinute: 30_000,
	proxies: [],
	writeTtlSeconds: 3_600,
	logLevel: 'info',
	historyBlocks: 50_000,
};

/** Environment variables that override settings. */
const VARIABLES: Record<string, keyof Settings> = {
	RPC_URL: 'rpc',
	DATABASE_URL: 'database',
	HOST: 'host',
	PORT: 'port',
	PUBLIC_URL: 'publicUrl',
	LOG_LEVEL: 'logLevel',
};

/** Variables of the service that are not settings; a misspelt one must not be ignored. */
const OWN = new Set(['WALLET_HOME', 'WALLET_PASSWORD_FILE', 'WALLET_PASSWORD']);
const IS_OWN = /^WALLET_(?!SERVICE_)/;

/** The files of a service. */
export interface Home {
	folder: string;
	config: string;
	keys: string;
	database: string;
}

/** The data folder, by `WALLET_HOME` or in the user's home. */
export function homeOf(environment: NodeJS.ProcessEnv): Home {
	const folder = environment.WALLET_HOME || join(homedir(), '.wallet-service');
	return {
		folder,
		config: join(folder, 'config.json'),
		keys: join(folder, 'seed.json'),
		database: join(folder, 'wallet-service.sqlite'),
	};
}

/** URLs separated by commas or white space. */
export const urlsIn = (text: string): string[] => text.split(/[\s,]+/).filter((url) => url !== '');

function fromEnvironment(environment: NodeJS.ProcessEnv): Record<string, unknown> {
	for (const name of Object.keys(environment)) {
		if (IS_OWN.test(name) && !OWN.has(name)) throw new Error(`There is no setting ${name}`);
	}
	const values: Record<string, unknown> = {};
	for (const [variable, name] of Object.entries(VARIABLES)) {
		const text = environment[variable];
		if (!text) continue;
		if (name === 'rpc') values[name] = urlsIn(text);
		else values[name] = name === 'port' && /^\d+$/.test(text) ? Number(text) : text;
	}
	return values;
}

/** @throws Error naming the wrong setting */
export function checkSettings(values: object): Settings {
	const settings = { ...DEFAULTS, ...values };
	if (schema.Check(settings)) {
		for (const url of settings.rpc) checkUrl('rpc', url);
		if (settings.database !== undefined) checkUrl('database', settings.database);
		if (settings.gasStation) checkGasStation(settings.gasStation);
		return { ...settings, ...trimmed(settings) };
	}
	const [, problems] = schema.Errors(settings);
	const pathOf = ({ instancePath }: { instancePath: string }) =>
		instancePath.slice(1).replaceAll('/', '.');
	const unknown = problems.find(({ keyword }) => keyword === 'boolean');
	if (unknown) throw new Error(`There is no setting "${pathOf(unknown)}"`);
	const [problem] = problems;
	const name = problem?.instancePath.split('/')[1] ?? '';
	if (name === '') throw new Error('The setting "rpc" is missing: the URL of a JSON-RPC endpoint');
	const called = calledBy(name) ?? `"${problem ? pathOf(problem) : name}"`;
	throw new Error(`The setting ${called} ${problem?.message ?? 'is wrong'}`);
}

/** A setting and its environment variable; undefined if it has none. */
function calledBy(name: string): string | undefined {
	const variable = Object.entries(VARIABLES).find(([, setting]) => setting === name)?.[0];
	return variable === undefined ? undefined : `"${name}" (${variable})`;
}

/**
 * Checks what the schema does not see: a character of a password that is not percent-encoded can cut the URL short, so that
 * a part of the password counts as its host or path.
 *
 * @throws Error naming the setting, without the URL
 */
function checkUrl(name: 'rpc' | 'database', text: string): void {
	const isDatabase = name === 'database';
	// Without a host, PostgreSQL is reached by a socket.
	const url = URL.parse(isDatabase ? text.replace('@/', '@localhost/') : text);
	const isCut = isDatabase && /\s|:\/\/[^/?#]*[/?#].*@/.test(text);
	const { username = '', password = '', hostname = '', pathname = '' } = url ?? {};
	const decoded = [username, password, ...(isDatabase ? [hostname, pathname] : [])];
	if (url && !isCut && decoded.every(isDecodable)) return;
	throw new Error(
		`The setting ${calledBy(name)} is not a URL that can be read: percent-encode the user name and the password, % as %25`,
	);
}

function isDecodable(text: string): boolean {
	try {
		decodeURIComponent(text);
		return true;
	} catch {
		return false;
	}
}

function checkGasStation({ below, upTo, perDay }: GasStationSettings): void {
	const [least, full, most] = [parseEther(below), parseEther(upTo), parseEther(perDay)];
	const wrong = 'The setting "gasStation" is wrong:';
	if (least === 0n) throw new Error(`${wrong} "below" must be more than 0`);
	if (least < full && full <= most) return;
	throw new Error(`${wrong} "below" must be less than "upTo", and "perDay" at least as much`);
}

/** URLs without a trailing slash: paths are added to them. */
function trimmed({ publicUrl, explorer }: Settings): Partial<Settings> {
	const trim = (url: string) => url.replace(/\/+$/, '');
	return {
		...(publicUrl === undefined ? {} : { publicUrl: trim(publicUrl) }),
		...(explorer === undefined ? {} : { explorer: trim(explorer) }),
	};
}

/**
 * Reads the settings from `config.json` and the environment.
 *
 * @throws Error naming what is missing or wrong
 */
export async function readSettings(home: Home, environment: NodeJS.ProcessEnv): Promise<Settings> {
	const text = await readTextFile(home.config).catch((error: NodeJS.ErrnoException) => {
		// Of another user's service, nobody should be told that it does not exist.
		if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
		throw new Error(`There is no wallet service in ${home.folder}: run "${PROGRAM} init" first`);
	});
	let file: unknown;
	try {
		file = JSON.parse(text);
	} catch (cause) {
		throw new Error(`${home.config} is not valid JSON`, { cause });
	}
	if (typeof file !== 'object' || file === null || Array.isArray(file)) {
		throw new Error(`${home.config} must hold one JSON object`);
	}
	return checkSettings({ ...file, ...fromEnvironment(environment) });
}

/** Writes `config.json`, readable by its owner only: the URL of an endpoint contains an access key. */
export async function writeSettings(home: Home, settings: object): Promise<void> {
	await writeFile(home.config, `${JSON.stringify(settings, null, 2)}\n`, {
		mode: 0o600,
		flag: 'wx',
	});
	await chmod(home.config, 0o600);
}
