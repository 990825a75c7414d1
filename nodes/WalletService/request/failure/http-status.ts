import { isObject } from '../../values/objects';
import type { FailureCode } from './failure-code';
import { ServiceError } from './service-error';
import { asClause, isSentence, saysMore } from './service-text';

export const UNAUTHORIZED = 401;
export const NOT_FOUND = 404;
export const TOO_MANY_REQUESTS = 429;

interface Advice {
	readonly code: FailureCode;
	readonly message: string;
	readonly hint: string;
	/** Source of the title; by default the service, which explains an invalid request best. */
	readonly title?: 'of both' | 'ours';
}

const CHECK_ITEM = 'Check the parameters of this item';

const ADVICE: Readonly<Record<number, Advice>> = {
	400: {
		code: 'bad-request',
		message: 'The service did not accept the request',
		hint: CHECK_ITEM,
	},
	[UNAUTHORIZED]: {
		code: 'unauthorized',
		title: 'ours',
		message: 'The access token was rejected: it is wrong or has expired',
		hint: 'Open the credential of this node, enter a new access token or connect the account again, and save it',
	},
	403: {
		code: 'forbidden',
		message: 'The access token does not allow this',
		hint: 'Use a credential of the right user or application',
	},
	[NOT_FOUND]: {
		code: 'not-found',
		message: 'The service did not find the requested data',
		hint: 'Check the parameters, and the base URL of the credential',
	},
	408: {
		code: 'timeout',
		title: 'of both',
		message: 'The service timed out waiting for the request',
		hint: 'Try again later',
	},
	[TOO_MANY_REQUESTS]: {
		code: 'rate-limited',
		title: 'of both',
		message: 'The service received too many requests',
		hint: 'Set a low Concurrency in the credential, send fewer items at a time, or try again later',
	},
};

const SERVER_ERROR: Advice = {
	code: 'service-error',
	title: 'of both',
	message: 'The service had an internal error',
	hint: 'Try again later. If the error persists, contact the operator of the service',
};

const UNEXPECTED: Advice = {
	code: 'unexpected-status',
	message: 'The service answered with an unexpected HTTP status',
	hint: 'Check that the base URL of the credential belongs to a wallet service',
};

/** Statuses of an overload, maintenance or a gateway: the same request may succeed later. */
const TRANSIENT = new Set([408, 425, TOO_MANY_REQUESTS, 500, 502, 503, 504]);

function inItsWords({ message, title }: Advice, serviceText: string): string {
	if (title === 'ours' || !saysMore(serviceText)) return message;
	const clause = asClause(serviceText);
	return title === undefined && isSentence(serviceText) ? clause : `${message}: ${clause}`;
}

/** The failure for an HTTP status outside 200 to 299. @param serviceText redacted; empty if there is none */
export function failedStatus(
	status: number,
	serviceText: string,
	retryAfterMs?: number,
): ServiceError {
	const advice =
		ADVICE[status === 422 ? 400 : status] ?? (status >= 500 ? SERVER_ERROR : UNEXPECTED);
	return new ServiceError({
		message: inItsWords(advice, serviceText),
		// A service that explains itself is the right one.
		hint: advice === UNEXPECTED && isSentence(serviceText) ? CHECK_ITEM : advice.hint,
		code: advice.code,
		httpStatus: status,
		serviceText: serviceText === '' ? undefined : serviceText,
		state: TRANSIENT.has(status) ? 'refused-for-now' : 'refused',
		retryAfterMs,
	});
}

const OF_USER = 'Check the user ID: it looks like DISCORD-100200300400500600';
const OF_TOKEN =
	"Check the token's address: it must be a token contract on the network of this service";
const OF_CONTRACT =
	'Check the contract address: the contract must be on the network of this service';
const OF_FUNCTION =
	'Check the function and its arguments: the contract must have exactly this function';
const OF_PATH = 'Check the base URL of the credential: the service has nothing at this path';

const USER_ROUTE = /^\/v1\/users\/([^/]+)(?:\/balance\/([^/]+))?/;

/** Replaces the hint with one about the part that the service's message mentions: user, token, contract or function. */
export function withFittingHint(
	error: ServiceError,
	{ url, body = 'null' }: { readonly url: string; readonly body?: string },
): ServiceError {
	const { code, serviceText = '' } = error.details;
	if (code !== 'not-found' && code !== 'bad-request') return error;
	const [, user, token] = USER_ROUTE.exec(url) ?? [];
	// The node wrote this body, so it is valid JSON.
	const call: unknown = JSON.parse(body);
	const { abi, address } = isObject(call) ? call : {};
	const [name] = typeof abi === 'string' ? abi.split('(') : [];
	const hints: Array<[part: string | undefined, hint: string]> = [
		[url, OF_PATH],
		[token && decodeURIComponent(token), OF_TOKEN],
		[user && decodeURIComponent(user), OF_USER],
		[name && `${name}(`, OF_FUNCTION],
		[name && String(address), OF_CONTRACT],
	];
	const text = saysMore(serviceText) ? serviceText.toLowerCase() : '';
	const [, hint] = hints.find(([part]) => part && text.includes(part.toLowerCase())) ?? [];
	return hint === undefined ? error : error.with({ hint });
}
