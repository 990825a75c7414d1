import { isObject } from '../../values/objects';
import { ServiceError } from '../failure/service-error';
import type { SignIn } from './sign-in';

const UNAUTHORIZED = 401;
const REVOKED =
	'the service no longer accepts it, because access was taken back, was not used for too long, or the account has changed';
const NO_REFRESH_TOKEN =
	'the access token has expired, and the service gave no refresh token with it (the scope offline_access asks for one)';

const NO_CREDENTIAL_ID =
	'n8n cannot renew it, because the node names it without its ID; select the credential in the node again';
export const NOT_RENEWED_BY_N8N =
	'its access token has expired, and this version of n8n does not renew it (2.30 and newer do)';

/** Codes of a permanent refusal by a token endpoint (RFC 6749, section 5.2); others are not standard, and may pass. */
const LASTING_REFUSALS = [
	'invalid_request',
	'invalid_client',
	'invalid_grant',
	'unauthorized_client',
	'unsupported_grant_type',
	'invalid_scope',
];

/** Codes of n8n's OAuth2 client for an answer of the token endpoint that is not a token. */
const TOKEN_ENDPOINT_CODES: ReadonlySet<unknown> = new Set(['EAUTH', 'ESTATUS']);
/** n8n's own words for a sign-in without a refresh token, and for a credential that it cannot store a renewed token in. */
const NOT_RENEWABLE = /no refresh token is available|Found credential with no ID/;

type Named = Pick<SignIn, 'name'>;

/** The result of a renewal that failed. */
export interface SignInFailure {
	readonly failure: ServiceError;
	/** Whether the sign-in is unusable until the account is connected again. */
	readonly hasEnded: boolean;
}

/** The code with which a token endpoint answered. */
function refusalCode(chain: Record<string, unknown>[]): string | undefined {
	for (const { body } of chain) {
		const code = isObject(body) ? body.error : undefined;
		if (typeof code === 'string' && /^[a-z_]{1,40}$/.test(code)) return code;
	}
	return undefined;
}

/** n8n marks the error when it has found that a grant is no longer valid. */
function isGrantLost(chain: Record<string, unknown>[]): boolean {
	return chain.some(({ failure }) => isObject(failure) && failure.cause === 'credential-invalid');
}

/** Whether an error is that of a renewal. Anything else may be about a request that was carried out. */
function isOfRenewal(chain: Record<string, unknown>[], tokenUrl: string): boolean {
	return (
		isGrantLost(chain) ||
		refusalCode(chain) !== undefined ||
		chain.some(
			({ code, config, message }) =>
				TOKEN_ENDPOINT_CODES.has(code) ||
				(isObject(config) && config.url === tokenUrl) ||
				NOT_RENEWABLE.test(String(message)),
		)
	);
}

/** The sign-in could not be renewed, but may be a little later. The request was refused with a 401. */
function notRenewed({ name }: Named, reason: string): ServiceError {
	return new ServiceError({
		message: `The sign-in of the credential "${name}" could not be renewed: ${reason}`,
		hint: `Try again later, and check the Access Token URL of the credential "${name}"`,
		code: 'sign-in-not-renewed',
		httpStatus: UNAUTHORIZED,
		isTransient: true,
		certainty: 'refused',
	});
}

/** The sign-in is unusable. The request was refused with a 401. */
export function signInEnded({ name }: Named, reason: string): ServiceError {
	return new ServiceError({
		message: `The sign-in of the credential "${name}" has ended: ${reason}`,
		hint: `Open the credential "${name}" and connect the account again`,
		code: 'sign-in-ended',
		httpStatus: UNAUTHORIZED,
		certainty: 'refused',
	});
}

/**
 * How the renewal of a sign-in failed, after a 401; `undefined` if the error is not that of a renewal.
 *
 * The request itself was refused with that 401 in each of these cases, so it certainly was not done.
 */
export function renewalFailure(
	chain: Record<string, unknown>[],
	{ name, id, tokenUrl, hasRefreshToken }: SignIn,
): SignInFailure | undefined {
	if (!isOfRenewal(chain, tokenUrl)) return undefined;
	const ended = (reason: string) => ({ hasEnded: true, failure: signInEnded({ name }, reason) });
	if (!hasRefreshToken) return ended(NO_REFRESH_TOKEN);
	if (id === null) return ended(NO_CREDENTIAL_ID);
	const code = refusalCode(chain);
	if (isGrantLost(chain) || code === 'invalid_grant') return ended(REVOKED);
	if (code !== undefined && LASTING_REFUSALS.includes(code)) {
		return ended(`its access token URL refuses to renew it (${code})`);
	}
	const reason = `its access token URL cannot be reached, or has a problem of its own${code === undefined ? '' : ` (${code})`}`;
	return { hasEnded: false, failure: notRenewed({ name }, reason) };
}

/** The error for a 401 to a new token: the sign-in is intact, or renewing it does not help. */
export function rejectedAfterRenewal(failure: ServiceError, { name }: Named): ServiceError {
	return failure.with({
		message: `The service rejects the access token of the credential "${name}", although it was renewed just now`,
		hint: `Check that the account of the credential "${name}" may do this, and that its base URL and Access Token URL belong to the same service`,
	});
}
