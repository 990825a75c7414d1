import { isObject } from '../../values/objects';
import { chainOf } from '../failure/error-chain';
import { ServiceError } from '../failure/service-error';
import type { SignIn } from './sign-in';

const UNAUTHORIZED = 401;
const REVOKED =
	'the service no longer accepts it, because access was taken back, was not used for too long, or the account has changed';
const NO_REFRESH_TOKEN =
	'the access token has expired, and the service gave no refresh token with it (the scope offline_access asks for one)';

/** Codes of a permanent refusal by a token endpoint (RFC 6749, section 5.2); others are not standard, and may pass. */
const LASTING_REFUSALS = [
	'invalid_request',
	'invalid_client',
	'invalid_grant',
	'unauthorized_client',
	'unsupported_grant_type',
	'invalid_scope',
];

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

function isAboutAnother(chain: Record<string, unknown>[], tokenUrl: string): boolean {
	return chain.some(({ config }) => isObject(config) && config.url !== tokenUrl);
}

/** The sign-in could not be renewed, but may be a little later. The request was refused with a 401. */
export function notRenewed({ name }: Named, reason: string): ServiceError {
	return new ServiceError({
		message: `The sign-in of the credential "${name}" could not be renewed: ${reason}`,
		hint: `Try again later, and check the Access Token URL of the credential "${name}"`,
		code: 'sign-in-not-renewed',
		httpStatus: UNAUTHORIZED,
		isTransient: true,
		certainty: 'refused',
	});
}

/**
 * How the renewal of a sign-in failed, after a 401 was passed to n8n; `undefined` if the error is about another request
 * than the one to the access token URL.
 *
 * The request itself was refused with that 401 in each of these cases, so it certainly was not done.
 */
export function signInFailure(
	error: unknown,
	{ name, tokenUrl }: Pick<SignIn, 'name' | 'tokenUrl'>,
	hasRefreshToken: boolean,
): SignInFailure | undefined {
	const chain = chainOf(error);
	if (isAboutAnother(chain, tokenUrl)) return undefined;
	const ended = (reason: string): SignInFailure => ({
		hasEnded: true,
		failure: new ServiceError({
			message: `The sign-in of the credential "${name}" has ended: ${reason}`,
			hint: `Open the credential "${name}" and connect the account again`,
			code: 'sign-in-ended',
			httpStatus: UNAUTHORIZED,
			certainty: 'refused',
		}),
	});
	if (!hasRefreshToken) return ended(NO_REFRESH_TOKEN);
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
