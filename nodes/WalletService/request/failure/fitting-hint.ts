import { isObject } from '../../values/objects';
import { saysMore } from './service-words';
import type { ServiceError } from './service-error';

/** The request that a failure is about. */
interface Asked {
	/** Path, from `/v1` on. */
	readonly url: string;
	/** JSON text of a contract call. */
	readonly body?: string;
}

/** A part of a request, as a service may name it, and what to do when it does. */
type Subject = readonly [named: string, hint: string];

const OF_USER =
	'Check the user ID: the provider in upper case, a hyphen, and the ID there, as in DISCORD-80351110224678912';
const OF_TOKEN =
	"Check the token's address: it has to be a token contract on the network of this service";
const OF_CONTRACT =
	'Check the contract address: the contract has to be on the network of this service';
const OF_FUNCTION = 'Check the function and its arguments: the contract has to have it as given';
const OF_PATH = 'Check the base URL of the credential: the service has nothing at this path';

const USER_ROUTE = /^\/v1\/users\/([^/]+)(?:\/balance\/([^/]+))?/;

/** What a contract call asks for: the body is the node's own. */
function subjectsOfCall(body: string): Subject[] {
	const call: unknown = JSON.parse(body);
	if (!isObject(call) || typeof call.abi !== 'string') return [];
	const [name = ''] = call.abi.split('(');
	return [
		[`${name}(`, OF_FUNCTION],
		[String(call.address), OF_CONTRACT],
	];
}

function subjectsOf({ url, body }: Asked): Subject[] {
	const [, user, token] = USER_ROUTE.exec(url) ?? [];
	return [
		[url, OF_PATH],
		...(token === undefined ? [] : [[decodeURIComponent(token), OF_TOKEN] as const]),
		...(user === undefined ? [] : [[decodeURIComponent(user), OF_USER] as const]),
		...(body === undefined ? [] : subjectsOfCall(body)),
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
export function withFittingHint(error: ServiceError, asked: Asked): ServiceError {
	const { code, serviceText = '' } = error.details;
	if (code !== 'not-found' && code !== 'bad-request') return error;
	const text = saysMore(serviceText) ? serviceText.toLowerCase() : '';
	const [, named] = subjectsOf(asked).find(([what]) => text.includes(what.toLowerCase())) ?? [];
	if (named !== undefined) return error.with({ hint: named });
	if (code !== 'not-found') return error;
	const suspects = suspectsOf(asked.url);
	return error.with({
		hint: `Check ${suspects}, and that the base URL of the credential is right`,
	});
}
