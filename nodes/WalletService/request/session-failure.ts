import { isObject } from '../values/integers';
import { CallFailure } from './call-failure';
import { chainOf, statusOf } from './error-chain';
import type { OAuthSession } from './oauth-session';

const UNAUTHORIZED = 401;
const REVOKED =
	'the service no longer accepts it, because access was taken back, was not used for too long, or the account has changed';
const NO_REFRESH_TOKEN =
	'the access token has expired, and the service gave no refresh token with it (the scope offline_access asks for one)';

/** The code with which a token endpoint refuses (RFC 6749, section 5.2). */
function refusalCode(chain: Record<string, unknown>[]): string | undefined {
	for (const { body } of chain) {
		const code = isObject(body) ? body.error : undefined;
		if (typeof code === 'string' && /^[a-z_]{1,40}$/.test(code)) return code;
	}
	return undefined;
}

/** n8n names its own verdict that a grant is no longer good. */
function isGrantLost(chain: Record<string, unknown>[]): boolean {
	return chain.some(({ failure }) => isObject(failure) && failure.cause === 'credential-invalid');
}

function isAboutTokenUrl(chain: Record<string, unknown>[], tokenUrl: string): boolean {
	return chain.some(({ config }) => isObject(config) && config.url === tokenUrl);
}

/**
 * How an OAuth2 sign-in failed; `undefined` when the error is about something else.
 *
 * The request itself was refused with a 401 in each of these cases, so it certainly was not done.
 */
export function sessionFailure(
	error: unknown,
	{ name, hasRefreshToken, tokenUrl }: OAuthSession,
): CallFailure | undefined {
	const chain = chainOf(error);
	const ended = (reason: string) =>
		new CallFailure({
			message: `The sign-in of the credential "${name}" has ended: ${reason}`,
			hint: `Open the credential "${name}" and connect the account again`,
			code: 'sign-in-ended',
			httpStatus: UNAUTHORIZED,
			certainty: 'refused',
		});
	if (isGrantLost(chain)) return ended(REVOKED);
	const code = refusalCode(chain);
	if (code !== undefined) return ended(`its access token URL refuses to renew it (${code})`);
	if (isAboutTokenUrl(chain, tokenUrl)) {
		return new CallFailure({
			message: `The sign-in of the credential "${name}" could not be renewed: its access token URL cannot be reached, or has a problem of its own`,
			hint: `Try again later, and check the Access Token URL of the credential "${name}"`,
			code: 'sign-in-not-renewed',
			httpStatus: UNAUTHORIZED,
			isPassing: true,
			certainty: 'refused',
		});
	}
	const status = statusOf(chain);
	// n8n's own error for this has neither a status nor a code; a connection error has a code.
	const isBare = status === undefined && chain.every(({ code }) => code === undefined);
	if (isBare && !hasRefreshToken) return ended(NO_REFRESH_TOKEN);
	if (status !== UNAUTHORIZED) return undefined;
	return new CallFailure({
		message: `The service rejects the access token of the credential "${name}", although it was renewed just now`,
		hint: `Check that the base URL and the Access Token URL of the credential "${name}" belong to the same service, and connect the account again`,
		code: 'unauthorized',
		httpStatus: UNAUTHORIZED,
		certainty: 'refused',
	});
}
