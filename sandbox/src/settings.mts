/** What a history answer holds, and how it is read from the chain. */
export interface HistorySettings {
	/** The most entries: the newest ones. */
	limit: number;
	/** How many of the newest blocks are not listed yet. */
	lagBlocks: number;
	/** How old a block must be to be listed. */
	lagSeconds: number;
	/** The first block that is looked at. */
	startBlock: number;
	/** The most blocks that one request for logs may span. */
	blocksPerRequest: number;
}

/** What the environment can set; docs/sandbox.md lists the same names. */
export interface Settings {
	/** TCP port to listen on, 0 for any free one. */
	port: number;
	/** JSON-RPC endpoint of the chain to use; without it the service runs a chain of its own. */
	rpcUrl: string | undefined;
	/** Whether tests may program failures through `/faults`. */
	faults: boolean;
	/** Seconds between two blocks of the service's own chain; 0 for a block for each transaction at once. */
	blockSeconds: number;
	history: HistorySettings;
	/** Lifetime of an access token that a sign-in gives, in seconds. */
	tokenSeconds: number;
	/** Addresses to which n8n's authorization codes may be sent. */
	redirectUris: string[];
	/** Least severe level that is logged: a pino level name. */
	logLevel: string;
}

/** Where n8n on this machine takes authorization codes, when it runs on its usual port. */
const DEFAULT_REDIRECT_URIS =
	'http://localhost:5678/rest/oauth2-credential/callback http://127.0.0.1:5678/rest/oauth2-credential/callback';

const A_YEAR = 31_536_000;

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** Reads integers from the environment; what is not set has its default. */
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

/** URLs, separated by commas or white space. */
function addresses(name: string, text: string): string[] {
	const urls = text.split(/[\s,]+/).filter((url) => url !== '');
	const wrong = urls.find((url) => !/^https?:$/.test(URL.parse(url)?.protocol ?? ''));
	if (wrong !== undefined) throw new Error(`${name} must hold http(s) URLs, not "${wrong}"`);
	return urls;
}

/**
 * Reads the settings from environment variables.
 *
 * @throws Error that names the variable when its value cannot be used
 */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
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
		port: integer('PORT', 4010, 0, 65_535),
		rpcUrl,
		faults: environment.SANDBOX_FAULTS === '1',
		blockSeconds,
		history: {
			limit: integer('SANDBOX_HISTORY_LIMIT', 100, 1, 100_000),
			lagBlocks: integer('SANDBOX_HISTORY_LAG_BLOCKS', 0, 0, 1_000_000),
			lagSeconds: integer('SANDBOX_HISTORY_LAG_SECONDS', 0, 0, A_YEAR),
			startBlock: integer('SANDBOX_START_BLOCK', 0, 0, Number.MAX_SAFE_INTEGER),
			blocksPerRequest: integer('SANDBOX_BLOCKS_PER_REQUEST', 1000, 1, 1_000_000),
		},
		tokenSeconds: integer('SANDBOX_TOKEN_SECONDS', 86_400, 1, A_YEAR),
		redirectUris: addresses(
			'SANDBOX_REDIRECT_URIS',
			environment.SANDBOX_REDIRECT_URIS || DEFAULT_REDIRECT_URIS,
		),
		logLevel,
	};
}
