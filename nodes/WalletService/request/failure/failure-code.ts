/**
 * Stable codes by which a workflow distinguishes failures without parsing English; `docs/errors.md` lists them, and a test
 * compares the two lists. The values never change; new ones may be added.
 */
export const FAILURE_CODES = [
	'invalid-input',
	'policy-refused',
	'policy-unreadable',
	'mixed-up-call',
	'not-sent',
	'not-sent-again',
	'not-seen',
	'not-met',
	'bad-request',
	'unauthorized',
	'forbidden',
	'not-found',
	'rate-limited',
	'service-error',
	'unexpected-status',
	'redirected',
	'service-failed',
	'not-confirmed',
	'unreadable-answer',
	'unreachable',
	'bad-certificate',
	'connection-lost',
	'timeout',
	'cancelled',
	'sign-in-ended',
	'sign-in-not-renewed',
	'internal',
] as const;

export type FailureCode = (typeof FAILURE_CODES)[number];
