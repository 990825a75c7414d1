import type { IDataObject } from 'n8n-workflow';

import { TOO_MANY_REQUESTS } from '../request/failure/http-status';
import { redact } from '../request/failure/redact';
import { ServiceError } from '../request/failure/service-error';
import type { Received } from '../request/http/answer';
import { isStatus } from '../request/http/answer';
import { hashesIn, isHash, uniqueHashes } from '../values/hashes';
import { isItem } from '../values/objects';

/** The result of one attempt: an answer, or the failure that prevented one. */
export type Returned = Received | ServiceError;

/** The answer to a submitted write. */
export type SubmittedAnswer = IDataObject & { readonly hash: string };

export interface Verdict {
	/** `refused`: the write certainly did not go through. `unknown`: it may have gone through. */
	readonly outcome: 'done' | 'refused' | 'unknown';
	/** Present only for `done`. */
	readonly answer?: SubmittedAnswer;
	/** Whether a retry is safe and may help. */
	readonly mayRetry: boolean;
	/** Transaction hashes in an answer that is not `done`, beginning with those in the body. */
	readonly hashes: readonly string[];
}

/** 4xx statuses after which the write may still have gone through. */
const UNDECIDED: ReadonlySet<number> = new Set([408, 409, 425]);
/** Redirects of the same request: the service did not perform it (RFC 9110, sections 15.4.8 and 15.4.9). */
const ELSEWHERE: ReadonlySet<number> = new Set([307, 308]);

function isSubmitted(answer: IDataObject | undefined): answer is SubmittedAnswer {
	return isStatus(answer?.status, 'SUCCESS') && isHash(answer?.hash);
}

/**
 * Decides the outcome of one attempt; no other code does. `docs/errors.md` has the table, and a test compares the two.
 *
 * Anything not listed there is `unknown`: a payment must neither be sent twice nor be mistaken for sent.
 *
 * @example outcomeOf(receive({ statusCode: 200, headers: {}, body: '{}' }, 'Bearer abcd')).outcome // 'unknown'
 */
export function outcomeOf(returned: Returned): Verdict {
	if (returned instanceof ServiceError) {
		const { certainty } = returned.details;
		const outcome = certainty === undefined ? 'unknown' : 'refused';
		return { outcome, mayRetry: certainty === 'never sent', hashes: [] };
	}
	const { response, authorization, text, value, problem } = returned;
	const { statusCode: status, headers, isOfProxy = false } = response;
	const answer = status >= 200 && status < 300 && isItem(value) ? value : undefined;
	if (isSubmitted(answer)) return { outcome: 'done', answer, mayRetry: false, hashes: [] };
	const inBody = hashesIn(text);
	// n8n's client reads a compressed body that breaks off as far as it goes; a hash may have followed.
	const isCut =
		text === '' ? Number(headers['content-length']) > 0 : problem && /^\s*[[{"]/.test(text);
	const isRefusal =
		isOfProxy ||
		isStatus(answer?.status, 'FAILED') ||
		(!isCut &&
			(ELSEWHERE.has(status) || (status >= 400 && status < 500 && !UNDECIDED.has(status))));
	const outcome = isRefusal && inBody.length === 0 ? 'refused' : 'unknown';
	// Headers such as `Location` can contain hashes. The access token is removed, because it may look like a hash.
	const inHeaders = Object.values(headers).map((one) => redact(String(one), authorization));
	const hashes = uniqueHashes([...inBody, ...hashesIn(inHeaders.join('\n'))]);
	const mayRetry = outcome === 'refused' && (isOfProxy || status === TOO_MANY_REQUESTS);
	return { outcome, mayRetry, hashes };
}
