import { TOO_MANY_REQUESTS } from '../request/failure/http-status';
import { ServiceError } from '../request/failure/service-error';
import { isStatus } from '../request/http/answer';
import { hashesIn, hashesInHeaders, isHash, uniqueHashes } from '../values/hashes';
import { isObject } from '../values/objects';

/** The outcome of one sending of a write: done, certainly not done, or impossible to know here. */
export type Outcome = 'done' | 'refused' | 'unknown';

/** What one sending returned: an answer, or the failure that prevented one. */
export type Returned =
	| {
			readonly status: number;
			readonly headers: Readonly<Record<string, unknown>>;
			/** The body as text. */
			readonly body: string;
	  }
	| ServiceError;

export interface Verdict {
	readonly outcome: Outcome;
	/** Whether a retry is safe and may help. */
	readonly mayRetry: boolean;
	/** The transaction hashes in an answer that is not `done`, those of the body first. */
	readonly hashes: readonly string[];
}

/** Statuses from 400 to 499 after which the work may still have been done. */
const UNDECIDED: ReadonlySet<number> = new Set([408, 409, 425]);
/** The service redirects the same request elsewhere, so it did not perform it (RFC 9110, sections 15.4.8 and 15.4.9). */
const ELSEWHERE: ReadonlySet<number> = new Set([307, 308]);

function parsed(body: string): Record<string, unknown> | undefined {
	try {
		const value: unknown = JSON.parse(body);
		return isObject(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

/** The outcome of an answer, by its status and body. @param hasHash whether the body has any transaction hash */
function outcomeOfAnswer(status: number, body: string, hasHash: boolean): Outcome {
	if (status >= 200 && status < 300) {
		const answer = parsed(body);
		if (isStatus(answer?.status, 'SUCCESS') && isHash(answer?.hash)) return 'done';
		return isStatus(answer?.status, 'FAILED') && !hasHash ? 'refused' : 'unknown';
	}
	if (hasHash) return 'unknown';
	if (ELSEWHERE.has(status)) return 'refused';
	return status >= 400 && status < 500 && !UNDECIDED.has(status) ? 'refused' : 'unknown';
}

/**
 * The outcome of one sending of a write, by what it returned: decided here and nowhere else. `docs/errors.md` has the table,
 * and a test compares the two.
 *
 * Anything not listed there is `unknown`: a payment must neither be sent twice nor be mistaken for sent.
 *
 * @example outcomeOf({ status: 200, headers: {}, body: '{"status":"PENDING"}' }).outcome // 'unknown'
 */
export function outcomeOf(returned: Returned): Verdict {
	if (returned instanceof ServiceError) {
		const { certainty } = returned.details;
		const outcome = certainty === undefined ? 'unknown' : 'refused';
		return { outcome, mayRetry: certainty === 'never sent', hashes: [] };
	}
	const { status, headers, body } = returned;
	const inBody = hashesIn(body);
	const outcome = outcomeOfAnswer(status, body, inBody.length > 0);
	if (outcome === 'done') return { outcome, mayRetry: false, hashes: [] };
	const hashes = uniqueHashes([...inBody, ...hashesInHeaders(headers)]);
	return { outcome, mayRetry: outcome === 'refused' && status === TOO_MANY_REQUESTS, hashes };
}
