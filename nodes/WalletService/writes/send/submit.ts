import type { ContractCall } from '../../contract/call';
import type { GetCredentials } from '../../request/credential/shared-credential';
import { ServiceError } from '../../request/failure/service-error';
import type { Received } from '../../request/http/answer';
import { successOf, unexpectedAnswer } from '../../request/http/answer';
import { ROUTES } from '../../request/http/routes';
import type { ServiceClient } from '../../request/http/service-client';
import { uniqueHashes } from '../../values/hashes';
import { InvalidInputError } from '../../values/invalid-input';
import { isDeeper } from '../../values/objects';
import { settle } from '../../values/settle';
import type { SubmittedAnswer } from '../outcome';
import { outcomeOf } from '../outcome';

const { url } = ROUTES.write;

const CHECK_FIRST =
	"The transaction MAY have been sent: check the wallet's history before you send it again";

/** Converts an error that occurred after sending, so that it is not mistaken for one that prevented sending. */
function asFailure(error: unknown): ServiceError {
	if (error instanceof ServiceError) return error;
	if (error instanceof InvalidInputError) {
		const { message, hint, code } = error;
		return new ServiceError({ message, hint: hint.replace('Nothing was sent. ', ''), code });
	}
	return new ServiceError({
		message: error instanceof Error ? error.message : String(error),
		hint: 'This is a bug in the node: please report it with this message',
		code: 'internal',
	});
}

/**
 * The failure of a write of unknown outcome.
 *
 * @example asUnknown(new Error('cut')).details.state // 'unknown'
 */
export function asUnknown(error: unknown): ServiceError {
	return asFailure(error).with({ state: 'unknown', warning: CHECK_FIRST });
}

/**
 * Warns that a write may have been sent, unless it certainly was not. Invalid input is refused before sending.
 *
 * @example withWarning(new Error('cut')).details.state // 'unknown'
 */
export function withWarning(error: unknown): unknown {
	if (error instanceof InvalidInputError) return error;
	const failure = asFailure(error);
	return failure.isRefused ? failure : asUnknown(failure);
}

/**
 * Returns the failure for an answer that does not prove a transaction, with all hashes of the answer.
 *
 * @example unproven(receive({ statusCode: 404, headers: {}, body: '{}' }, undefined)).details.code // 'not-found'
 */
export function unproven(received: Received): ServiceError {
	try {
		const value = successOf(received, url);
		throw unexpectedAnswer('the status SUCCESS and a transaction hash of 32 bytes', value);
	} catch (error) {
		return asFailure(error).with({ hashes: outcomeOf(received).hashes });
	}
}

/**
 * Reads the answer to a submitted write.
 *
 * @throws ServiceError with its state and all hashes of the answer, unless the write was submitted.
 * @example readSubmitted(receive({ statusCode: 200, headers: {}, body: `{"status":"SUCCESS","hash":"0x${'ab'.repeat(32)}"}` }, undefined)).status // 'SUCCESS'
 */
export function readSubmitted(received: Received): SubmittedAnswer {
	const { state, answer } = outcomeOf(received);
	if (answer && !isDeeper(answer)) return answer;
	if (answer !== undefined) return { hash: answer.hash, status: answer.status };
	throw unproven(received).with({ state: state === 'done' ? 'unknown' : state });
}

/**
 * Submits one transaction. It is retried only if it was refused and may succeed later.
 *
 * @param key sent along, for a service that keeps the write under it without having said so
 * @param openCredential opens the credential of an attempt; called before each one
 * @param earlierHashes hashes of earlier attempts of unknown outcome, for the failure
 * @returns the service's answer with its transaction hash, the hashes in answers to earlier, refused attempts, and
 * whether the service had recorded the write under the key before
 * @throws ServiceError with its `state`; InvalidInputError if the credential cannot be used.
 * @example (await submit(client, call, 'n8n-5f16…', async () => context.getCredentials)).answer.hash // '0x…'
 */
export async function submit(
	client: ServiceClient,
	call: ContractCall,
	key: string,
	openCredential: () => Promise<GetCredentials>,
	earlierHashes: readonly string[] = [],
) {
	const headers = { 'Idempotency-Key': key };
	const request = { method: 'POST', url, headers, body: JSON.stringify(call) } as const;
	// Hashes in answers to refused attempts must not be lost.
	let hashes: readonly string[] = [];
	const sending = client.send(request, {
		read: (received) => ({
			answer: readSubmitted(received),
			isReplayed: received.response.headers['idempotency-replayed'] === 'true',
		}),
		onPause: ({ details }) => (hashes = uniqueHashes([...hashes, ...(details.hashes ?? [])])),
		openCredential,
	});
	const result = await settle(sending);
	if (result.status === 'fulfilled') return { ...result.value, hashes };
	const error = withWarning(result.reason);
	const earlier = uniqueHashes([...hashes, ...earlierHashes]);
	throw error instanceof ServiceError ? error.with({ earlierHashes: earlier }) : error;
}
