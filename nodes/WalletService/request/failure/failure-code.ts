/**
 * Stable codes by which a workflow tells failures apart without reading English; `docs/errors.md` lists them, and a test
 * compares the two lists. The values never change; new ones may come.
 */
export const FAILURE_CODES = [
	'invalid-input',
	'policy-refused',
	'policy-unreadable',
	'mixed-up-call',
	'not-sent',
	'not-sent-again',
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
