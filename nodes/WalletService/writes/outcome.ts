import type { IDataObject } from 'n8n-workflow';

import { TOO_MANY_REQUESTS } from '../request/failure/http-status';
import { redact } from '../request/failure/redact';
import type { FailureState } from '../request/failure/service-error';
import type { Received } from '../request/http/answer';
import { isStatus } from '../request/http/answer';
import { bareHashesIn, hashesIn, isHash, uniqueHashes } from '../values/hashes';
import { isItem } from '../values/objects';

/** The answer to a submitted write. */
export type SubmittedAnswer = IDataObject & { readonly hash: string };

export interface Verdict {
	readonly state: 'done' | FailureState;
	/** Present only for `done`. */
	readonly answer?: SubmittedAnswer;
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
 * Decides what the answer to a write proves; without an answer, its ServiceError has a state. `docs/errors.md` has the table, and a test compares the two.
 *
 * Anything not listed there is `unknown`: a payment must neither be sent twice nor be mistaken for sent.
 *
 * @example outcomeOf(receive({ statusCode: 200, headers: {}, body: '{}' }, 'Bearer abcd')).state // 'unknown'
 */
export function outcomeOf(received: Received): Verdict {
	const { response, authorization, text, value, problem } = received;
	const { statusCode: status, headers, isOfProxy = false } = response;
	const answer = status >= 200 && status < 300 && isItem(value) ? value : undefined;
	if (isSubmitted(answer)) return { state: 'done', answer, hashes: [] };
	const inBody = uniqueHashes([...hashesIn(text), ...bareHashesIn(text)]);
	// n8n's client reads a compressed body that breaks off as far as it goes; a hash may have followed.
	const isCut =
		text === '' ? Number(headers['content-length']) > 0 : problem && /^\s*[[{"]/.test(text);
	const isRefusal =
		isOfProxy ||
		isStatus(answer?.status, 'FAILED') ||
		(!isCut &&
			(ELSEWHERE.has(status) || (status >= 400 && status < 500 && !UNDECIDED.has(status))));
	// Headers such as `Location` can contain hashes. The access token is removed, because it may look like a hash.
	const inHeaders = Object.values(headers).map((one) => redact(String(one), authorization));
	const hashes = uniqueHashes([...inBody, ...hashesIn(inHeaders.join('\n'))]);
	if (!isRefusal || inBody.length > 0) return { state: 'unknown', hashes };
	const isForNow = isOfProxy || status === TOO_MANY_REQUESTS;
	return { state: isForNow ? 'refused-for-now' : 'refused', hashes };
}
