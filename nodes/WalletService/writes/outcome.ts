import { ServiceError } from '../request/failure/service-error';
import { isStatus } from '../request/http/answer';
import { hashesIn, hashesInHeaders, isHash, uniqueHashes } from '../values/hashes';
import { isObject } from '../values/objects';

/** What became of one sending of a write: it was done, it certainly was not, or nobody here can know. */
export type Outcome = 'done' | 'refused' | 'unknown';

/** What came back for one sending: an answer, or the failure that left none. */
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
	/** Whether sending it again can do no harm and may help. */
	readonly mayRetry: boolean;
	/** What an answer that is not `done` holds of transaction hashes, the body's first. */
	readonly hashes: readonly string[];
}

const TOO_MANY_REQUESTS = 429;

/** Statuses from 400 to 499 after which the work may still have been done. */
const UNDECIDED: ReadonlySet<number> = new Set([408, 409, 425]);
/** The service asks to go elsewhere with the same request, so it did not do it (RFC 9110, sections 15.4.8 and 15.4.9). */
const ELSEWHERE: ReadonlySet<number> = new Set([307, 308]);

function parsed(body: string): Record<string, unknown> | undefined {
	try {
		const value: unknown = JSON.parse(body);
		return isObject(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

/** The outcome of an answer whose body holds no transaction hash outside its place. */
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
 * What became of one sending of a write, by what came back: the one place that decides it. `docs/errors.md` has its table,
 * which a test compares.
 *
 * Whatever is not listed there is `unknown`: a payment must neither be sent twice nor be taken for sent.
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
