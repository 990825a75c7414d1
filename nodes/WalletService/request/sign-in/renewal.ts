import type { IN8nHttpFullResponse } from 'n8n-workflow';

import { hashesIn } from '../../values/hashes';
import { isObject } from '../../values/objects';
import { settle } from '../../values/settle';
import { chainOf } from '../failure/error-chain';
import type { ServiceError } from '../failure/service-error';
import type { SignIn } from './sign-in';
import { endedSignIns, keyOf } from './sign-in';
import {
	NOT_RENEWED_BY_N8N,
	rejectedAfterRenewal,
	renewalFailure,
	signInEnded,
} from './sign-in-failure';

const UNAUTHORIZED = 401;

/** Rejects when a request is aborted, as n8n's HTTP client does. Without a signal it never settles. */
export async function untilAborted(signal: AbortSignal | undefined): Promise<never> {
	return await new Promise((_resolve, reject) => {
		const end = () => reject(Object.assign(new Error('Aborted'), { code: 'ERR_CANCELED' }));
		if (signal?.aborted === true) end();
		signal?.addEventListener('abort', end);
	});
}

/** The service's 401 to the repeated request, which n8n throws instead of returning it. One that was cut off has no body. */
function repeatedRefusal(chain: Record<string, unknown>[]): IN8nHttpFullResponse | undefined {
	for (const { response } of chain) {
		if (!isObject(response) || response.status !== UNAUTHORIZED) continue;
		if (typeof response.data !== 'string') return undefined;
		const headers = Object.fromEntries(
			Object.entries(isObject(response.headers) ? response.headers : {}).map(
				([name, value]) => [name, String(value)] as const,
			),
		);
		return { statusCode: UNAUTHORIZED, headers, body: response.data };
	}
	return undefined;
}

function end(signIn: SignIn, failure: ServiceError): ServiceError {
	endedSignIns.set(keyOf(signIn), failure);
	return failure;
}

/**
 * Sends a request with a sign-in, which n8n 2.30 and newer renews after a 401, one request at a time, before it sends the
 * same request again. Older versions of n8n do not: their expired sign-in ends with a clear failure.
 *
 * @param signal aborts the request; n8n itself does not bound the time of a renewal
 * @param send makes n8n send the request
 * @returns the answer; a 401 only when n8n has renewed the sign-in, or when it names a transaction
 * @throws ServiceError when the sign-in could not be renewed, and whatever `send` throws.
 */
export async function sendSignedIn(
	signIn: SignIn,
	signal: AbortSignal | undefined,
	send: () => Promise<IN8nHttpFullResponse>,
): Promise<IN8nHttpFullResponse> {
	const result = await settle(Promise.race([send(), untilAborted(signal)]));
	if (result.status === 'fulfilled') {
		const { statusCode, body } = result.value;
		const isRefused = statusCode === UNAUTHORIZED && hashesIn(String(body)).length === 0;
		if (isRefused) throw end(signIn, signInEnded(signIn, NOT_RENEWED_BY_N8N));
		return result.value;
	}
	const chain = chainOf(result.reason);
	const { failure, hasEnded } = renewalFailure(chain, signIn) ?? {};
	if (failure !== undefined) throw hasEnded === true ? end(signIn, failure) : failure;
	const answer = repeatedRefusal(chain);
	if (answer !== undefined) return answer;
	throw result.reason;
}

/** The failure of an answer to a signed-in request: a 401 to a new token is about the request, not about the sign-in. */
export function afterRenewal(failure: ServiceError, signIn: SignIn | undefined): ServiceError {
	const { httpStatus, outcome, code } = failure.details;
	const isRejected =
		httpStatus === UNAUTHORIZED && outcome !== 'unknown' && code === 'unauthorized';
	return signIn !== undefined && isRejected ? rejectedAfterRenewal(failure, signIn) : failure;
}
