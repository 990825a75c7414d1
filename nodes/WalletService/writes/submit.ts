import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteSingleFunctions,
} from 'n8n-workflow';

import type { ContractCall } from '../contract/call';
import { redact } from '../request/failure/redact';
import { ServiceError } from '../request/failure/service-error';
import { readAnswer, textOf, unexpectedAnswer } from '../request/http/answer';
import { ROUTES } from '../request/http/routes';
import type { Received, ServiceClient } from '../request/http/service-client';
import { hashesIn, isHash, uniqueHashes } from '../values/hashes';
import { InvalidInputError } from '../values/invalid-input';
import { isItem } from '../values/objects';
import { settle } from '../values/settle';
import type { Verdict } from './outcome';
import { outcomeOf } from './outcome';
import type { PinnedCredential } from './pinned-credential';
import { pinCredential } from './pinned-credential';

const { url } = ROUTES.write;

const CHECK_FIRST =
	'The transaction MAY have been sent: check the history of the wallet before you send it again';

/** A failed sending as the user sees it: with its outcome, and every transaction hash that came with it. */
function judged(failure: ServiceError, { outcome, hashes, mayRetry }: Verdict): ServiceError {
	const { message } = failure.details;
	const named = hashes.length === 0 ? '' : `; it names the transaction ${hashes.join(', ')}`;
	return failure.with({
		message: `${message}${named}`,
		...(outcome === 'unknown' && { warning: CHECK_FIRST }),
		outcome: outcome === 'refused' ? 'refused' : 'unknown',
		isTransient: mayRetry,
		...(hashes.length > 0 && { hashes }),
	});
}

/** The failure behind an answer that does not prove a transaction. */
function failureOf({ response, authorization }: Received): ServiceError {
	try {
		const answer = readAnswer(response, authorization, url);
		return unexpectedAnswer('the status SUCCESS and a transaction hash of 32 bytes', answer);
	} catch (error) {
		return asFailure(error);
	}
}

/** From here on, no error may look like an input that was never sent. */
function asFailure(error: unknown): ServiceError {
	if (error instanceof ServiceError) return error;
	return new ServiceError({
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
function headersOf({ response, authorization }: Received): Record<string, string> {
	const entries = Object.entries(response.headers).map(
		([name, value]) => [name, redact(String(value), authorization)] as const,
	);
	return Object.fromEntries(entries);
}

/** @throws ServiceError with its outcome, unless the write is done. */
function readSubmitted(received: Received): SubmittedAnswer {
	const { response, authorization } = received;
	const body = textOf(response, authorization);
	const verdict = outcomeOf({ status: response.statusCode, headers: headersOf(received), body });
	if (verdict.outcome !== 'done') throw judged(failureOf(received), verdict);
	const answer = answerOf(received);
	if (answer !== undefined) return answer;
	// Done, but in a form that cannot be read: its hash must not be lost.
	const unread = { ...verdict, outcome: 'unknown', hashes: hashesIn(body) } as const;
	throw judged(failureOf(received), unread);
}

function answerOf({ response, authorization }: Received): SubmittedAnswer | undefined {
	try {
		const value = readAnswer(response, authorization, url);
		return isSubmitted(value) ? keepable(value) : undefined;
	} catch {
		return undefined;
	}
}

/** An answer that can be recorded: one nested too deep for `JSON.stringify` is reduced to its essential fields. */
function keepable(answer: SubmittedAnswer): SubmittedAnswer {
	try {
		JSON.stringify(answer);
		return answer;
	} catch {
		const { hash, status } = answer;
		return { hash, status };
	}
}

/** How a write is sent. */
export interface Sending {
	/** Called before each try, with the credential of that try. @throws InvalidInputError when it may not be sent with it. */
	readonly assertMaySend: (credential: ICredentialDataDecryptedObject) => void;
	/** The credential of the first try; read for it unless given. */
	readonly pinned?: PinnedCredential;
}

/** A failure with the outcome of the write; that of the credential, before anything is sent, needs none. */
function withOutcome(error: unknown): unknown {
	if (error instanceof InvalidInputError) return error;
	const failure = asFailure(error);
	return failure.details.outcome === undefined ? judged(failure, outcomeOf(failure)) : failure;
}

/**
 * Submits one transaction. It is retried only if it certainly was not done and may succeed a little later.
 *
 * @returns the service's answer, which has a transaction hash, and the hashes in the answers to earlier tries
 * @throws ServiceError with its `outcome`; InvalidInputError when the credential cannot be used.
 * @example (await submit(context, client, call, { assertMaySend })).answer.hash // '0x…'
 */
export async function submit(
	context: IExecuteSingleFunctions,
	client: ServiceClient,
	call: ContractCall,
	{ assertMaySend, pinned }: Sending,
): Promise<Submitted> {
	const request = { method: 'POST', url, body: JSON.stringify(call) } as const;
	const named: string[] = [];
	let first = pinned;
	const sending = client.send(request, {
		read: readSubmitted,
		judge: withOutcome,
		onPause: ({ details }) => named.push(...(details.hashes ?? [])),
		openCredential: async () => {
			const reading = first ?? (await pinCredential(context));
			first = undefined;
			const { credential, getCredentials } = reading;
			assertMaySend(credential);
			return getCredentials;
		},
	});
	const result = await settle(sending);
	// The hashes that refused tries named must not be lost with them.
	const hashes = uniqueHashes(named);
	if (result.status === 'fulfilled') return { answer: result.value, hashes };
	const error = withOutcome(result.reason);
	if (!(error instanceof ServiceError) || hashes.length === 0) throw error;
	throw error.with({
		message: `${error.details.message}; an earlier try was answered with ${hashes.join(', ')}`,
		hashes: uniqueHashes([...hashes, ...(error.details.hashes ?? [])]),
	});
}
