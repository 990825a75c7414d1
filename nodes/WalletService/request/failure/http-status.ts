import type { FailureCode } from './failure-code';
import { ServiceError } from './service-error';

interface Advice {
	readonly code: FailureCode;
	readonly message: string;
	readonly hint: string;
}

const ADVICE: Readonly<Record<number, Advice>> = {
	400: {
		code: 'bad-request',
		message: 'The service did not accept the request',
		hint: 'Check the parameters of this item against what the service says',
	},
	401: {
		code: 'unauthorized',
		message: 'The access token was rejected: it is wrong or has expired',
		hint: 'Open the credential of this node, enter a new access token (or connect the account again), and save it',
	},
	403: {
		code: 'forbidden',
		message: 'The access token does not allow this',
		hint: 'Use a credential whose token belongs to the user or application concerned',
	},
	404: {
		code: 'not-found',
		message: 'The service does not know what was asked for',
		hint: 'Check the user ID or contract address, and that the base URL of the credential is right',
	},
	408: {
		code: 'timeout',
		message: 'The service gave up waiting for the request',
		hint: 'Try again later',
	},
	429: {
		code: 'rate-limited',
		message: 'The service receives too many requests',
		hint: 'Lower Concurrency under Options, send fewer items at a time, or try again later',
	},
};

const SERVER_ERROR: Advice = {
	code: 'service-error',
	message: 'The service had an internal error',
	hint: 'Try again later. If the error persists, contact the operator of the service',
};

const UNEXPECTED: Advice = {
	code: 'unexpected-status',
	message: 'The service answered with an unexpected HTTP status',
	hint: 'Check that the base URL of the credential belongs to a wallet service',
};

/** Statuses after which the same request may succeed: overload, maintenance, a gateway in between. */
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504]);

/**
 * The failure for an HTTP status outside 200 to 299.
 *
 * @param status HTTP status code
 * @param serviceText the service's own error message, already redacted; empty if there is none
 * @param retryAfterMs how long the service asks to wait, in milliseconds
 */
export function failedStatus(
	status: number,
	serviceText: string,
	retryAfterMs?: number,
): ServiceError {
	const advice = ADVICE[status] ?? (status >= 500 ? SERVER_ERROR : UNEXPECTED);
	const said = serviceText === '' ? '' : `: ${serviceText}`;
	return new ServiceError({
		message: `${advice.message} (HTTP ${status})${said}`,
		hint: advice.hint,
		code: advice.code,
		httpStatus: status,
		serviceText: serviceText === '' ? undefined : serviceText,
		isTransient: PASSING.has(status),
		retryAfterMs,
	});
}
