import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { claimsOf } from '../../values/json';
import { isObject } from '../../values/objects';
import { urlOf } from '../../values/urls';
import { isLeftEmpty, isUserId } from '../../values/user-id';

/** Asks an OpenID provider for an ID token (OpenID Connect Core 1.0, section 3.1.2.1). */
const IDENTITY_SCOPE = 'openid';

/** Digits and hyphens of a UUID can look like a user ID. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function hasIdentityScope(scope: unknown): boolean {
	return typeof scope === 'string' && scope.split(' ').includes(IDENTITY_SCOPE);
}

function hostOf(url: unknown): string | undefined {
	return typeof url === 'string' ? urlOf(url.trim())?.host : undefined;
}

/** Whether an ID token belongs to the current sign-in: n8n keeps values that later answers of the token endpoint omit. */
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
 * The user who is signed in with a credential, by the subject of its ID token; `undefined` if it is not a user ID. The token
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
 * The credential of a sign-in, with the signed-in user in place of an empty User ID. The result of an expression, even an
 * empty one, is left unchanged.
 */
export function withSignedInUser(
	credential: ICredentialDataDecryptedObject,
): ICredentialDataDecryptedObject {
	if (!isLeftEmpty(credential.userId)) return credential;
	const userId = signedInUser(credential);
	return userId === undefined ? credential : { ...credential, userId };
}

/**
 * The user of a credential; `undefined` if it has none, or an invalid one.
 *
 * @param credential including the user of a sign-in, see `readActiveCredential`
 */
export function credentialUser({ userId }: ICredentialDataDecryptedObject): string | undefined {
	const given = typeof userId === 'string' ? userId.trim() : '';
	return isUserId(given) ? given : undefined;
}
