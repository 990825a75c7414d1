import type { Failure } from 'n8n-workflow';

import { INVALID_INPUT_CODES } from '../../values/invalid-input';
import { defined } from '../../values/objects';

/**
 * Stable codes by which a workflow distinguishes failures without parsing English; `docs/errors.md` lists them, and a test
 * compares the two lists. The values never change; new ones may be added.
 */
export const FAILURE_CODES = [
	...INVALID_INPUT_CODES,
	'not-sent',
	'not-sent-again',
	'order-conflict',
	'order-failed',
	'retry-conflict',
	'not-seen',
	'not-carried-out',
	'not-met',
	'not-supported',
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

/** Causes, in n8n's terms, of failures that waiting can resolve. */
const TIMED: Partial<Record<FailureCode, 'rate-limited' | 'temporarily-unavailable'>> = {
	'rate-limited': 'rate-limited',
	'service-error': 'temporarily-unavailable',
	unreachable: 'temporarily-unavailable',
	'connection-lost': 'temporarily-unavailable',
	timeout: 'temporarily-unavailable',
};

/**
 * The cause of a failure in n8n's terms, by which n8n 2.41 schedules the next poll; `undefined` if it is unknown
 * whether waiting helps.
 *
 * @param retryAfterMs the wait that the service requested, in milliseconds
 * @example n8nFailure('rate-limited', 3000) // { cause: 'rate-limited', retryAfterMs: 3000 }
 */
export function n8nFailure(code: FailureCode, retryAfterMs?: number): Failure | undefined {
	const cause = TIMED[code];
	if (cause !== undefined) return defined({ cause, retryAfterMs });
	const needsSignIn = code === 'unauthorized' || code === 'sign-in-ended';
	return needsSignIn ? { cause: 'credential-invalid' } : undefined;
}
