import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { claimsOf } from '../../values/json';
import { isObject } from '../../values/objects';
import { urlOf } from '../../values/urls';
import { isLeftEmpty, isUserId } from '../../values/user-id';
import { withBaseUrl } from './base-url';

/** The scope that requests an ID token (OpenID Connect Core 1.0, section 3.1.2.1). */
const IDENTITY_SCOPE = 'openid';

/** A UUID can have the form of a user ID. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function hasIdentityScope(scope: unknown): boolean {
	return typeof scope === 'string' && scope.split(' ').includes(IDENTITY_SCOPE);
}

function hostOf(url: unknown): string | undefined {
	return typeof url === 'string' ? urlOf(url.trim())?.host : undefined;
}

/** Whether an ID token belongs to the current sign-in. n8n keeps an old one if the token endpoint returns no new one. */
function isOfSignIn(
	{ aud, iss }: Readonly<Record<string, unknown>>,
	tokens: Readonly<Record<string, unknown>>,
	{ scope, clientId, authUrl, accessTokenUrl }: ICredentialDataDecryptedObject,
): boolean {
	const wasAsked = hasIdentityScope(scope) && hasIdentityScope(tokens.scope ?? scope);
	const isForUs = typeof clientId === 'string' && [aud].flat().includes(clientId);
	const issuer = hostOf(iss);
	const isOwnService = [authUrl, accessTokenUrl].some((url) => hostOf(url) === issuer);
	return wasAsked && isForUs && issuer !== undefined && isOwnService;
}

/**
 * The signed-in user of a credential, from the subject of its ID token; `undefined` if that is not a user ID. The token
 * came over an encrypted connection, so its signature need not be checked (OpenID Connect Core 1.0, section 3.1.3.7).
 */
function signedInUser(credential: ICredentialDataDecryptedObject): string | undefined {
	const { oauthTokenData: tokens } = credential;
	if (!isObject(tokens) || typeof tokens.id_token !== 'string') return undefined;
	const claims = claimsOf(tokens.id_token);
	if (claims === undefined || !isOfSignIn(claims, tokens, credential)) return undefined;
	const { sub } = claims;
	return isUserId(sub) && !UUID.test(sub) ? sub : undefined;
}

/**
 * The credential of a sign-in, with the signed-in user in place of an empty User ID, and its own base URL in place of an
 * empty one. Any other value, such as `undefined` from an expression, is left unchanged.
 */
export function withSignedInUser(
	stored: ICredentialDataDecryptedObject,
): ICredentialDataDecryptedObject {
	const credential = withBaseUrl(stored);
	if (!isLeftEmpty(credential.userId)) return credential;
	const userId = signedInUser(credential);
	return userId === undefined ? credential : { ...credential, userId };
}
