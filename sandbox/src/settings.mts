/** What the environment can set; the README lists the same names. */
export interface Settings {
	/** TCP port to listen on, 0 for any free one. */
	port: number;
	/** JSON-RPC endpoint of the chain to use; without it the service runs a chain of its own. */
	rpcUrl: string | undefined;
	/** Whether tests may program failures through `/faults`. */
	faults: boolean;
	/** The most entries that a history answer holds. */
	historyLimit: number;
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

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

function integer(name: string, text: string, lowest: number, highest: number): number {
	const value = Number(text);
	if (!/^\d+$/.test(text) || value < lowest || value > highest) {
		throw new Error(`${name} must be an integer from ${lowest} to ${highest}, not "${text}"`);
	}
	return value;
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
	return {
		port: integer('PORT', environment.PORT || '4010', 0, 65_535),
		rpcUrl: environment.RPC_URL || undefined,
		faults: environment.SANDBOX_FAULTS === '1',
		historyLimit: integer(
			'SANDBOX_HISTORY_LIMIT',
			environment.SANDBOX_HISTORY_LIMIT || '100',
			1,
			100_000,
		),
		tokenSeconds: integer(
			'SANDBOX_TOKEN_SECONDS',
			environment.SANDBOX_TOKEN_SECONDS || '86400',
			1,
			31_536_000,
		),
		redirectUris: addresses(
			'SANDBOX_REDIRECT_URIS',
			environment.SANDBOX_REDIRECT_URIS || DEFAULT_REDIRECT_URIS,
		),
		logLevel,
	};
}
