import type { IN8nHttpFullResponse } from 'n8n-workflow';

import { hashesIn } from '../../values/hashes';
import { isObject } from '../../values/objects';
import { settle } from '../../values/settle';
import { chainOf } from '../failure/connection';
import { UNAUTHORIZED } from '../failure/http-status';
import { ServiceError } from '../failure/service-error';
import type { SignIn } from './sign-in';
import { endedSignIns, signInKey } from './sign-in';

const REVOKED =
	'the service no longer accepts it, because access was revoked or unused for too long, or the account has changed';
const NO_REFRESH_TOKEN =
	'the access token has expired, and the service issued no refresh token with it (the scope offline_access requests one)';
const NO_CREDENTIAL_ID =
	'n8n cannot renew it, because the node does not store the ID of the credential; select the credential in the node again';
const NOT_RENEWED_BY_N8N =
	'its access token has expired, and this version of n8n does not renew it (2.30 and newer do)';

/**
 * Codes of a permanent refusal by a token endpoint (RFC 6749, section 5.2); others are not standard, and may be
 * transient.
 */
const LASTING_REFUSALS = [
	'invalid_request',
	'invalid_client',
	'unauthorized_client',
	'unsupported_grant_type',
	'invalid_scope',
];

/** Codes of n8n's OAuth2 client for an answer of the token endpoint that is not a token. */
const TOKEN_ENDPOINT_CODES: ReadonlySet<unknown> = new Set(['EAUTH', 'ESTATUS']);
/** n8n's messages about a sign-in without a refresh token, and a credential that cannot store a renewed token. */
const NOT_RENEWABLE = /no refresh token is available|Found credential with no ID/;

type Chain = Record<string, unknown>[];

/** Rejects when a request is aborted, as n8n's HTTP client does. Without a signal, it never settles. */
export async function untilAborted(signal: AbortSignal | undefined): Promise<never> {
	return await new Promise((_resolve, reject) => {
		const end = () => reject(Object.assign(new Error('Aborted'), { code: 'ERR_CANCELED' }));
		if (signal?.aborted === true) end();
		signal?.addEventListener('abort', end);
	});
}

function refusalCode(chain: Chain): string | undefined {
	for (const { body } of chain) {
		const code = isObject(body) ? body.error : undefined;
		if (typeof code === 'string' && /^[a-z_]{1,40}$/.test(code)) return code;
	}
	return undefined;
}

/** Whether n8n has marked the grant as no longer valid. */
function isGrantLost(chain: Chain): boolean {
	return chain.some(({ failure }) => isObject(failure) && failure.cause === 'credential-invalid');
}

/** Whether an error comes from a renewal. Any other error may concern a request that was carried out. */
function isOfRenewal(chain: Chain, tokenUrl: string): boolean {
	if (isGrantLost(chain) || refusalCode(chain) !== undefined) return true;
	return chain.some(
		({ code, config, message }) =>
			TOKEN_ENDPOINT_CODES.has(code) ||
			(isObject(config) && config.url === tokenUrl) ||
			NOT_RENEWABLE.test(String(message)),
	);
}

/** Records that a sign-in is unusable until the account is connected again. The request was refused with a 401. */
function ended(signIn: SignIn, reason: string): ServiceError {
	const { name } = signIn;
	const failure = new ServiceError({
		message: `The sign-in of the credential "${name}" has ended: ${reason}`,
		hint: `Open the credential "${name}" and connect the account again`,
		code: 'sign-in-ended',
		httpStatus: UNAUTHORIZED,
		certainty: 'refused',
	});
	endedSignIns.set(signInKey(signIn), failure);
	return failure;
}

/** Returns the failure of a renewal after a 401, and records an ended sign-in; `undefined` for any other error. */
function renewalFailure(chain: Chain, signIn: SignIn): ServiceError | undefined {
	const { name, id, tokenUrl, hasRefreshToken } = signIn;
	if (!isOfRenewal(chain, tokenUrl)) return undefined;
	if (!hasRefreshToken) return ended(signIn, NO_REFRESH_TOKEN);
	if (id === null) return ended(signIn, NO_CREDENTIAL_ID);
	const code = refusalCode(chain);
	if (isGrantLost(chain) || code === 'invalid_grant') return ended(signIn, REVOKED);
	if (code !== undefined && LASTING_REFUSALS.includes(code)) {
		return ended(signIn, `its access token URL refuses to renew it (${code})`);
	}
	const why = code === undefined ? '' : ` (${code})`;
	return new ServiceError({
		message: `The sign-in of the credential "${name}" could not be renewed: its access token URL cannot be reached, or had an internal error${why}`,
		hint: `Try again later, and check the Access Token URL of the credential "${name}"`,
		code: 'sign-in-not-renewed',
		httpStatus: UNAUTHORIZED,
		isTransient: true,
		certainty: 'refused',
	});
}

/** Finds the service's 401 response to the repeated request; n8n throws it. A truncated answer has no body. */
function repeatedRefusal(chain: Chain): IN8nHttpFullResponse | undefined {
	for (const { response } of chain) {
		if (!isObject(response) || response.status !== UNAUTHORIZED) continue;
		if (typeof response.data !== 'string') return undefined;
		const given = Object.entries(isObject(response.headers) ? response.headers : {});
		const headers = Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
		return { statusCode: UNAUTHORIZED, headers, body: response.data };
	}
	return undefined;
}

/**
 * Sends a request with a sign-in. After a 401, n8n 2.30 or newer renews the sign-in, one request at a time, and sends
 * the same request again. In older versions, an expired sign-in ends with a clear failure.
 *
 * @param signal aborts the request; n8n itself does not limit the time of a renewal
 * @param send sends the request through n8n
 * @returns the answer; a 401 only after a renewal, or if it contains a transaction hash
 * @throws ServiceError if the sign-in could not be renewed; any error of `send`.
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
		if (isRefused) throw ended(signIn, NOT_RENEWED_BY_N8N);
		return result.value;
	}
	const chain = chainOf(result.reason);
	const failure = renewalFailure(chain, signIn);
	if (failure !== undefined) throw failure;
	const answer = repeatedRefusal(chain);
	if (answer !== undefined) return answer;
	throw result.reason;
}

/** Rewords the failure of a signed-in request: after a renewal, a 401 concerns the request, not the sign-in. */
export function afterRenewal(failure: ServiceError, signIn: SignIn | undefined): ServiceError {
	const { outcome, code } = failure.details;
	if (signIn === undefined || code !== 'unauthorized' || outcome === 'unknown') return failure;
	const { name } = signIn;
	return failure.with({
		message: `The service rejects the access token of the credential "${name}", although it was just renewed`,
		hint: `Check that the account of the credential "${name}" may do this, and that its base URL and Access Token URL belong to the same service`,
	});
}
