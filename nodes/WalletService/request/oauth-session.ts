import type { IHttpRequestOptions } from 'n8n-workflow';

import { isObject } from '../values/integers';
import { InvalidInput } from '../values/invalid-input';
import type { CredentialContext } from './active-credential';
import { RENEWED_CREDENTIAL, usesOAuth } from './active-credential';
import { assertEncrypted, normalizeBaseUrl } from './base-url';
import type { CallFailure } from './call-failure';
import { connectionFailure } from './connection-failure';
import { lostSessions } from './lost-sessions';
import { sessionFailure } from './session-failure';

/** The sign-in behind a request, as far as a failure has to know it. It holds no token. */
export interface OAuthSession {
	/** Name that the user gave the credential. */
	readonly name: string;
	readonly hasRefreshToken: boolean;
	readonly tokenUrl: string;
	/** Notes that the sign-in has ended, so that nothing more is sent with it. */
	readonly end: (failure: CallFailure) => Promise<void>;
}

interface StoredTokens {
	readonly accessToken: string;
	readonly hasRefreshToken: boolean;
}

function tokensOf(tokenData: unknown): StoredTokens | undefined {
	if (!isObject(tokenData) || typeof tokenData.access_token !== 'string') return undefined;
	return {
		accessToken: tokenData.access_token,
		hasRefreshToken: typeof tokenData.refresh_token === 'string',
	};
}

/**
 * Prepares a request of a node that is set to OAuth2: its base URL, which n8n does not know, and that a 401 is thrown,
 * since that is when n8n renews the access token. A request with a pasted token stays as it is.
 *
 * @returns the sign-in; `undefined` for a pasted token
 * @throws InvalidInput when the credential is not connected or not right, CallFailure when its sign-in has ended.
 */
export async function openSession(
	context: CredentialContext,
	request: Pick<IHttpRequestOptions, 'baseURL' | 'ignoreHttpStatusErrors'>,
): Promise<OAuthSession | undefined> {
	if (!usesOAuth(context)) return undefined;
	const { id, name = '' } = context.getNode().credentials?.[RENEWED_CREDENTIAL] ?? {};
	const read = async () => await context.getCredentials(RENEWED_CREDENTIAL);
	const credential = await read();
	const allowInsecureHttp = credential.allowInsecureHttp === true;
	request.baseURL = normalizeBaseUrl(credential.baseUrl, allowInsecureHttp);
	request.ignoreHttpStatusErrors = { ignore: true, except: [401] };
	const tokenUrl = String(credential.accessTokenUrl);
	assertEncrypted(tokenUrl, 'Access Token URL', allowInsecureHttp);
	const tokens = tokensOf(credential.oauthTokenData);
	if (tokens === undefined) {
		throw new InvalidInput({
			message: `The credential "${name}" is not connected`,
			hint: `Open the credential "${name}" and connect your account`,
		});
	}
	const key = id ?? '';
	const known = lostSessions.find(key, tokens.accessToken);
	if (known !== undefined) throw known;
	return {
		name,
		hasRefreshToken: tokens.hasRefreshToken,
		tokenUrl,
		async end(failure) {
			// Not the token from above: n8n may have renewed it since.
			const current = tokensOf((await read()).oauthTokenData);
			lostSessions.add(key, current?.accessToken ?? tokens.accessToken, failure);
		},
	};
}

/**
 * The failure behind an error of n8n's HTTP client.
 *
 * @param session what `openSession` gave for the request
 * @param cancel the execution's own signal
 */
export async function requestFailure(
	error: unknown,
	session: OAuthSession | undefined,
	cancel?: AbortSignal,
): Promise<CallFailure> {
	const failure = session && sessionFailure(error, session);
	if (failure === undefined) return connectionFailure(error, cancel);
	if (failure.details.isPassing !== true) await session?.end(failure);
	return failure;
}
