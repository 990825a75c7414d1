import type { Failure } from 'n8n-workflow';

import type { FailureCode } from './failure-code';
import type { ServiceErrorDetails } from './service-error';

type Cause = Failure['cause'];
type Causes<Some extends Cause> = Partial<Record<FailureCode, Some>>;

/** What passes: waiting helps. */
const PASSING: Causes<'rate-limited' | 'temporarily-unavailable'> = {
	'rate-limited': 'rate-limited',
	'service-error': 'temporarily-unavailable',
	unreachable: 'temporarily-unavailable',
	'connection-lost': 'temporarily-unavailable',
	timeout: 'temporarily-unavailable',
};

/** What stays until somebody acts. */
const LASTING: Causes<'credential-invalid'> = {
	unauthorized: 'credential-invalid',
	'sign-in-ended': 'credential-invalid',
};

/**
 * Why a request failed, in n8n's own terms (`Failure`, which n8n 2.41 reads from an error): by it n8n decides when it polls
 * again. A write whose outcome is unknown gets none: nothing may take it for one that can be repeated. Nor do failures of which
 * nobody can say whether waiting helps.
 *
 * @example failureOf({ message: '', hint: '', code: 'rate-limited', retryAfterMs: 3000 }) // { cause: 'rate-limited', retryAfterMs: 3000 }
 */
export function failureOf(details: ServiceErrorDetails): Failure | undefined {
	const { code, outcome, retryAfterMs } = details;
	if (outcome === 'unknown') return undefined;
	const passing = PASSING[code];
	if (passing !== undefined) {
		return { cause: passing, ...(retryAfterMs !== undefined && { retryAfterMs }) };
	}
	const lasting = LASTING[code];
	return lasting && { cause: lasting };
}
