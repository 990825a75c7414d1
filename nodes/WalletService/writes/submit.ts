import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteSingleFunctions,
} from 'n8n-workflow';

import { readAnswer, textOf, wrongShape } from '../request/answer';
import { CallFailure } from '../request/call-failure';
import { executionSignal } from '../request/deadline';
import type { Sent } from '../request/exchange';
import { send } from '../request/exchange';
import type { RequestSettings } from '../request/options';
import { isItem } from '../request/receive';
import { redact } from '../request/redact';
import { withRetry } from '../request/retry';
import type { ContractCall } from '../resources/contract/contract-call';
import { WRITE_ROUTE } from '../resources/contract/write-route';
import { InvalidInput } from '../values/invalid-input';
import { hashesIn, isHash } from '../values/hashes';
import type { Verdict } from './outcome';
import { outcomeOf } from './outcome';
import { pinCredential } from './pinned-credential';

const CHECK_FIRST =
	'The transaction MAY have been sent: check the history of the wallet before you send it again.';

/** A failed sending as the user reads it: what became of it, and every transaction hash that came with it. */
function judged(failure: CallFailure, { outcome, hashes, mayRetry }: Verdict): CallFailure {
	const { message, hint } = failure.details;
	const named = hashes.length === 0 ? '' : `; it names the transaction ${hashes.join(', ')}`;
	return failure.with({
		message: `${message}${named}`,
		hint: outcome === 'unknown' ? `${CHECK_FIRST} ${hint}` : hint,
		outcome: outcome === 'refused' ? 'refused' : 'unknown',
		isPassing: mayRetry,
		...(hashes.length > 0 && { hashes }),
	});
}

/** The failure behind an answer that does not prove a transaction. */
function failureOf({ response, authorization }: Sent): CallFailure {
	try {
		const answer = readAnswer(response, authorization, WRITE_ROUTE);
		return wrongShape('the status SUCCESS and a transaction hash of 32 bytes', answer);
	} catch (error) {
		return asFailure(error);
	}
}

/** From here on nothing may pass for an input that was never sent. */
function asFailure(error: unknown): CallFailure {
	if (error instanceof CallFailure) return error;
	return new CallFailure({
		message: error instanceof Error ? error.message : String(error),
		hint: 'This is a fault of the node: please report it with this message.',
		code: 'internal',
	});
}

/** A write that is done. */
export interface Submitted {
	readonly answer: SubmittedAnswer;
	/** Transaction hashes in the answers of tries that were refused. */
	readonly hashes: readonly string[];
}

/** The answer of a write that is done. */
export type SubmittedAnswer = IDataObject & { readonly hash: string };

function isSubmitted(answer: unknown): answer is SubmittedAnswer {
	return isItem(answer) && isHash(answer.hash);
}

/** The headers of an answer without the access token, which may look like a hash. */
function headersOf({ response, authorization }: Sent): Record<string, string> {
	const entries = Object.entries(response.headers).map(
		([name, value]) =>
			[name, redact([value].flat().map(String).join(', '), authorization)] as const,
	);
	return Object.fromEntries(entries);
}

/** @throws CallFailure with its outcome, unless the write is done. */
function readSubmitted(sent: Sent): SubmittedAnswer {
	const { response, authorization } = sent;
	const body = textOf(response, authorization);
	const verdict = outcomeOf({ status: response.statusCode, headers: headersOf(sent), body });
	if (verdict.outcome !== 'done') throw judged(failureOf(sent), verdict);
	const answer = answerOf(sent);
	if (answer !== undefined) return answer;
	// Done, but in a form that cannot be read: its hash must not get lost.
	const unread = { ...verdict, outcome: 'unknown', hashes: hashesIn(body) } as const;
	throw judged(failureOf(sent), unread);
}

function answerOf({ response, authorization }: Sent): SubmittedAnswer | undefined {
	try {
		const value = readAnswer(response, authorization, WRITE_ROUTE);
		return isSubmitted(value) ? keepable(value) : undefined;
	} catch {
		return undefined;
	}
}

/** What can be kept of an answer: one that is nested too deep for `JSON.stringify` is cut down to what counts. */
function keepable(answer: SubmittedAnswer): SubmittedAnswer {
	try {
		JSON.stringify(answer);
		return answer;
	} catch {
		const { hash, status } = answer;
		return { hash, status };
	}
}

/** Says whether a write may leave with one reading of the credential. @throws InvalidInput when it may not. */
export type AssertAllowed = (credential: ICredentialDataDecryptedObject) => void;

/** Sends a call once. @throws CallFailure with its outcome, unless it is done; InvalidInput of the credential. */
async function sendOnce(
	context: IExecuteSingleFunctions,
	call: ContractCall,
	settings: RequestSettings,
	assertAllowed: AssertAllowed,
): Promise<SubmittedAnswer> {
	const request = { method: 'POST', url: WRITE_ROUTE, body: JSON.stringify(call) } as const;
	const pinned = await pinCredential(context);
	assertAllowed(pinned.credential);
	const sending = send(pinned.context, request, settings, readSubmitted);
	const [result] = await Promise.allSettled([sending]);
	if (result.status === 'fulfilled') return result.value;
	// Of the credential, before anything left.
	if (result.reason instanceof InvalidInput) throw result.reason;
	const failure = asFailure(result.reason);
	throw failure.details.outcome === undefined ? judged(failure, outcomeOf(failure)) : failure;
}

/**
 * Submits one transaction. It is tried again by itself only when it certainly was not done and may be done a little later.
 *
 * @param assertAllowed asked before each try, with the credential that the try is sent with
 * @returns the service's answer, which has a transaction hash, and the hashes that tries before it were answered with
 * @throws CallFailure that says what became of it (`outcome`); InvalidInput when the credential cannot be used.
 */
export async function submit(
	context: IExecuteSingleFunctions,
	settings: RequestSettings,
	call: ContractCall,
	assertAllowed: AssertAllowed,
): Promise<Submitted> {
	const earlier: string[] = [];
	const rules = {
		settings,
		cancel: executionSignal(context),
		mayRetry: ({ details }: CallFailure) => details.isPassing === true,
		// What a refused try said of a transaction must not get lost with it.
		onPause: ({ details }: CallFailure) => earlier.push(...(details.hashes ?? [])),
	};
	const work = async () => await sendOnce(context, call, settings, assertAllowed);
	const [result] = await Promise.allSettled([withRetry(rules, work)]);
	const hashes = [...new Set(earlier)];
	if (result.status === 'fulfilled') return { answer: result.value, hashes };
	const error: unknown = result.reason;
	if (!(error instanceof CallFailure) || hashes.length === 0) throw error;
	const all = [...new Set([...hashes, ...(error.details.hashes ?? [])])];
	throw error.with({
		message: `${error.details.message}; an earlier try was answered with ${hashes.join(', ')}`,
		hashes: all,
	});
}
