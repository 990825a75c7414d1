import { isObject } from '../../values/objects';
import { saysMore } from './service-words';
import type { ServiceError } from './service-error';

/** A request: its path from `/v1` on, and the JSON text of a contract call. */
interface Request {
	readonly url: string;
	readonly body?: string;
}

const OF_USER =
	'Check the user ID: the provider in upper case, a hyphen, and the ID there, as in DISCORD-80351110224678912';
const OF_TOKEN =
	"Check the token's address: it has to be a token contract on the network of this service";
const OF_CONTRACT =
	'Check the contract address: the contract has to be on the network of this service';
const OF_FUNCTION = 'Check the function and its arguments: the contract has to have it as given';
const OF_PATH = 'Check the base URL of the credential: the service has nothing at this path';

const USER_ROUTE = /^\/v1\/users\/([^/]+)(?:\/balance\/([^/]+))?/;

/** The parts of a request, as a service may name them, each with what to do when it does. */
function subjectsOf({
	url,
	body = 'null',
}: Request): Array<[named: string | undefined, hint: string]> {
	const [, user, token] = USER_ROUTE.exec(url) ?? [];
	// The body is the node's own.
	const call: unknown = JSON.parse(body);
	const { abi, address } = isObject(call) ? call : {};
	const [name] = typeof abi === 'string' ? abi.split('(') : [];
	return [
		[url, OF_PATH],
		[token && decodeURIComponent(token), OF_TOKEN],
		[user && decodeURIComponent(user), OF_USER],
		[name && `${name}(`, OF_FUNCTION],
		[name && String(address), OF_CONTRACT],
	];
}

/** What to check when a service does not say what it does not know. */
function suspectsOf(url: string): string {
	const [, user, token] = USER_ROUTE.exec(url) ?? [];
	if (user === undefined) return 'the contract address';
	return token === undefined ? 'the user ID' : "the user ID and the token's address";
}

/**
 * A failure with the hint that fits what the service named, in its own words: the user, the token, the contract or the
 * function that was asked for.
 *
 * @example
 * const error = failedStatus(404, 'There is no user DISCORD-1');
 * withFittingHint(error, { url: '/v1/users/DISCORD-1' }).details.hint // 'Check the user ID: …'
 */
export function withFittingHint(error: ServiceError, asked: Request): ServiceError {
	const { code, serviceText = '' } = error.details;
	if (code !== 'not-found' && code !== 'bad-request') return error;
	const text = saysMore(serviceText) ? serviceText.toLowerCase() : '';
	const isNamed = ([named]: [string | undefined, string]) =>
		named !== undefined && text.includes(named.toLowerCase());
	const [, hint] = subjectsOf(asked).find(isNamed) ?? [];
	if (hint !== undefined) return error.with({ hint });
	if (code !== 'not-found') return error;
	const suspects = suspectsOf(asked.url);
	return error.with({
		hint: `Check ${suspects}, and that the base URL of the credential is right`,
	});
}
