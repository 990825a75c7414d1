import { CallFailure } from './call-failure';

interface Advice {
	readonly message: string;
	readonly hint: string;
}

const ADVICE: Readonly<Record<number, Advice>> = {
	400: {
		message: 'The service did not accept the request',
		hint: 'Check the parameters of this item against what the service says',
	},
	401: {
		message: 'The access token was rejected: it is wrong or has expired',
		hint: 'Open the credential of this node, enter a new access token (or connect the account again), and save it',
	},
	403: {
		message: 'The access token does not allow this',
		hint: 'Use a credential whose token belongs to the user or application concerned',
	},
	404: {
		message: 'The service does not know what was asked for',
		hint: 'Check the user ID or contract address, and that the base URL of the credential is right',
	},
	408: {
		message: 'The service gave up waiting for the request',
		hint: 'Try again later',
	},
	429: {
		message: 'The service receives too many requests',
		hint: 'Lower Concurrency under Options, send fewer items at a time, or try again later',
	},
};

const SERVER_ERROR: Advice = {
	message: 'The service had an internal error',
	hint: 'Try again later; when it stays, tell whoever runs the service',
};

const UNEXPECTED: Advice = {
	message: 'The service answered with an unexpected HTTP status',
	hint: 'Check that the base URL of the credential belongs to a wallet service',
};

/** Statuses after which the same request may succeed: overload, maintenance, a gateway between. */
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Statuses from 400 to 499 after which the work may still have been done. */
const UNDECIDED = new Set([408, 409, 425]);

/**
 * The failure that an HTTP status outside 200 to 299 stands for.
 *
 * @param status HTTP status code
 * @param serviceText the service's own words, already redacted; empty when it gave none
 * @param retryAfterMs what the service asks to wait
 */
export function failedStatus(
	status: number,
	serviceText: string,
	retryAfterMs?: number,
): CallFailure {
	const advice = ADVICE[status] ?? (status >= 500 ? SERVER_ERROR : UNEXPECTED);
	const said = serviceText === '' ? '' : `: ${serviceText}`;
	return new CallFailure({
		message: `${advice.message} (HTTP ${status})${said}`,
		hint: advice.hint,
		httpStatus: status,
		serviceText: serviceText === '' ? undefined : serviceText,
		isPassing: PASSING.has(status),
		retryAfterMs,
		outcome: status < 500 && !UNDECIDED.has(status) ? 'refused' : 'unknown',
	});
}
