import type { IExecuteSingleFunctions, IN8nHttpFullResponse } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { hashesIn } from '../../values/hashes';
import { isObject } from '../../values/objects';
import { settle } from '../../values/settle';
import { RENEWED_CREDENTIAL } from '../credential/active-credential';
import { deriveContext } from '../credential/shared-credential';
import { chainOf } from '../failure/connection';
import { UNAUTHORIZED } from '../failure/http-status';
import { isOfClass } from '../failure/n8n-class';
import { redact } from '../failure/redact';
import { ServiceError } from '../failure/service-error';
import { asClause, wordsIn } from '../failure/service-text';
import type { SignIn } from './sign-in';
import { endedSignIns, signInKey } from './sign-in';

const REVOKED =
	'the service no longer accepts it, because access was revoked or unused for too long, or the account has changed';
const NO_REFRESH_TOKEN =
	'the access token has expired, and the service issued no refresh token with it (the scope offline_access requests one)';
const NO_CREDENTIAL_ID =
	'n8n cannot renew it, because the node does not store the ID of the credential; select the credential in the node again';

/**
 * Codes of a permanent refusal by a token endpoint (RFC 6749, section 5.2); others are not standard, and may be
 * transient.
 */
const LASTING_REFUSALS =
	/^(?:invalid_(?:request|client|scope)|unauthorized_client|unsupported_grant_type)$/;

function refusalCode(error: unknown): string | undefined {
	for (const { body } of chainOf(error)) {
		const code = isObject(body) ? body.error : undefined;
		if (typeof code === 'string' && /^[a-z_]{1,40}$/.test(code)) return code;
	}
	return undefined;
}

/** The words of a token endpoint, without the secrets of the credential. */
function reasonOf(error: unknown, { stored }: SignIn): string {
	const tokens = isObject(stored.oauthTokenData) ? stored.oauthTokenData : {};
	const secrets = [stored.clientSecret, tokens.access_token, tokens.refresh_token];
	const body = chainOf(error)
		.map((one) => one.body)
		.find(isObject);
	return asClause(wordsIn(JSON.parse(secrets.reduce<string>(redact, JSON.stringify(body)))));
}

/** Records that a sign-in is unusable until the account is connected again. The request was refused with a 401. */
function ended(signIn: SignIn, reason: string): ServiceError {
	const { name } = signIn;
	const failure = new ServiceError({
		message: `The sign-in of the credential "${name}" has ended: ${reason}`,
		hint: `Open the credential "${name}" and connect the account again`,
		code: 'sign-in-ended',
		httpStatus: UNAUTHORIZED,
		state: 'refused',
	});
	endedSignIns.set(signInKey(signIn), failure);
	return failure;
}

/** Returns the failure of a renewal after a 401, and records an ended sign-in. */
function renewalFailure(error: unknown, signIn: SignIn, isWrite: boolean): ServiceError {
	const { name, id, hasRefreshToken } = signIn;
	if (!hasRefreshToken) return ended(signIn, NO_REFRESH_TOKEN);
	if (id === null) return ended(signIn, NO_CREDENTIAL_ID);
	const code = refusalCode(error);
	// n8n reports a lost grant as an error of the node, without its code.
	if (isOfClass(error, NodeOperationError) || code === 'invalid_grant')
		return ended(signIn, REVOKED);
	if (code !== undefined && LASTING_REFUSALS.test(code)) {
		return ended(signIn, `its access token URL refuses to renew it (${reasonOf(error, signIn)})`);
	}
	const why = code === undefined ? '' : ` (${reasonOf(error, signIn)})`;
	return new ServiceError({
		message: `The sign-in of the credential "${name}" could not be renewed: its access token URL cannot be reached, or had an internal error${why}`,
		hint: `Try again later, and check the Access Token URL of the credential "${name}"`,
		code: 'sign-in-not-renewed',
		httpStatus: UNAUTHORIZED,
		state: isWrite ? 'refused' : 'refused-for-now',
	});
}

/**
 * Sends a request with a sign-in. After a 401, the sign-in is renewed by n8n, one request at a time, and the request is
 * sent once more. A 401 to a write that names a transaction is returned: the write may have been carried out.
 *
 * @param send sends the request through n8n, with the stored access token
 * @throws ServiceError if the sign-in could not be renewed; any error of `send`.
 */
export async function sendSignedIn(
	context: IExecuteSingleFunctions,
	signIn: SignIn,
	isWrite: boolean,
	send: () => Promise<IN8nHttpFullResponse>,
): Promise<IN8nHttpFullResponse> {
	const response = await send();
	const { statusCode, body } = response;
	const mayBeDone = isWrite && hashesIn(String(body)).length > 0;
	if (statusCode !== UNAUTHORIZED || mayBeDone) return response;
	// The credential as it was used: if another request has renewed it, n8n only reads it again.
	const used = deriveContext(context, { getCredentials: async () => signIn.stored });
	const renewing = context.helpers.refreshOAuth2Token.call(used, RENEWED_CREDENTIAL);
	const renewal = await settle(renewing);
	if (renewal.status === 'rejected') throw renewalFailure(renewal.reason, signIn, isWrite);
	return await send();
}

/** Rewords the failure of a signed-in request: after a renewal, a 401 concerns the request, not the sign-in. */
export function afterRenewal(failure: ServiceError, signIn: SignIn | undefined): ServiceError {
	const { state, code } = failure.details;
	if (signIn === undefined || code !== 'unauthorized' || state === 'unknown') return failure;
	const { name } = signIn;
	return failure.with({
		message: `The service rejects the access token of the credential "${name}", although it was just renewed`,
		hint: `Check that the account of the credential "${name}" may do this, and that its base URL and Access Token URL belong to the same service`,
	});
}
