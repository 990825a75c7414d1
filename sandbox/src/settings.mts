/** Settings from the environment; docs/sandbox.md lists the variables. */
export type Settings = ReturnType<typeof readSettings>;

/** Redirect addresses of n8n on this machine, on its default port. */
const DEFAULT_REDIRECT_URIS =
	'http://localhost:5678/rest/oauth2-credential/callback http://127.0.0.1:5678/rest/oauth2-credential/callback';

const A_YEAR = 31_536_000;

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** Reads integers from the environment, with defaults. */
function integersIn(environment: NodeJS.ProcessEnv) {
	return (name: string, otherwise: number, lowest: number, highest: number): number => {
		const text = environment[name] || String(otherwise);
		const value = Number(text);
		if (!/^\d+$/.test(text) || value < lowest || value > highest) {
			throw new Error(`${name} must be an integer from ${lowest} to ${highest}, not "${text}"`);
		}
		return value;
	};
}

/** Reads URLs separated by commas or white space. */
function addresses(name: string, text: string): string[] {
	const urls = text.split(/[\s,]+/).filter((url) => url !== '');
	const wrong = urls.find((url) => !/^https?:$/.test(URL.parse(url)?.protocol ?? ''));
	if (wrong !== undefined) throw new Error(`${name} must hold http(s) URLs, not "${wrong}"`);
	return urls;
}

/**
 * Reads the settings from environment variables.
 *
 * @throws Error naming the variable if its value is invalid
 */
export function readSettings(environment: NodeJS.ProcessEnv) {
	const logLevel = environment.LOG_LEVEL || 'info';
	if (!LOG_LEVELS.includes(logLevel)) {
		throw new Error(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}, not "${logLevel}"`);
	}
	const integer = integersIn(environment);
	const rpcUrl = environment.RPC_URL || undefined;
	const blockSeconds = integer('SANDBOX_BLOCK_SECONDS', 0, 0, 86_400);
	if (rpcUrl !== undefined && blockSeconds > 0) {
		throw new Error(
			'SANDBOX_BLOCK_SECONDS must be 0 with RPC_URL: that chain makes its blocks itself',
		);
	}
	return {
		/** 0 for any free one. */
		port: integer('PORT', 4010, 0, 65_535),
		/** JSON-RPC endpoint of a development chain on this machine; if undefined, the sandbox runs its own chain. */
		rpcUrl,
		/** Whether tests may program failures through `/faults`. */
		faults: environment.SANDBOX_FAULTS === '1',
		/** Seconds between two blocks of the sandbox's own chain; 0 to mine each transaction immediately. */
		blockSeconds,
		history: {
			limit: integer('SANDBOX_HISTORY_LIMIT', 100, 1, 100_000),
			lagBlocks: integer('SANDBOX_HISTORY_LAG_BLOCKS', 0, 0, 1_000_000),
			lagSeconds: integer('SANDBOX_HISTORY_LAG_SECONDS', 0, 0, A_YEAR),
		},
		/** The first block that histories list. */
		startBlock: integer('SANDBOX_START_BLOCK', 0, 0, 2_000_000_000),
		/** A file, the URL of a PostgreSQL server, or `:memory:`. */
		database: environment.SANDBOX_DATABASE || ':memory:',
		writeKeys: integer('SANDBOX_WRITE_KEYS', 1, 0, 1) === 1,
		/** Lifetime of an access token from a sign-in, in seconds. */
		tokenSeconds: integer('SANDBOX_TOKEN_SECONDS', 86_400, 1, A_YEAR),
		/** Where n8n's authorization codes may go. */
		redirectUris: addresses(
			'SANDBOX_REDIRECT_URIS',
			environment.SANDBOX_REDIRECT_URIS || DEFAULT_REDIRECT_URIS,
		),
		logLevel,
	};
}
