import type { IHttpRequestOptions } from 'n8n-workflow';

import { InvalidInputError } from '../../values/invalid-input';
import { isObject } from '../../values/objects';
import { quote } from '../../values/quote';
import type { CredentialContext } from '../credential/active-credential';
import { RENEWED_CREDENTIAL, usesOAuth } from '../credential/active-credential';
import { faultOfToken } from '../credential/access-token';
import { assertEncrypted, normalizeBaseUrl } from '../credential/base-url';
import { endedSignIns } from './ended-sign-ins';

/** The tokens of a sign-in, as n8n keeps them in the credential. */
export interface StoredTokens {
	readonly accessToken: string;
	readonly hasRefreshToken: boolean;
	/** Lifetime of the access token when it was issued, in seconds; `NaN` if the service did not state it. */
	readonly lifetime: number;
}

/** The sign-in of a request, as far as its renewal and its failures need it. */
export interface SignIn {
	/** Name that the user gave the credential. */
	readonly name: string;
	/** Identifies the credential. */
	readonly credential: string;
	readonly tokenUrl: string;
	/** Reads the current tokens: n8n may have renewed them since. */
	readonly readTokens: () => Promise<StoredTokens>;
}

function tokensOf(tokenData: unknown, credential: string): StoredTokens {
	const { access_token, refresh_token, expires_in } = isObject(tokenData) ? tokenData : {};
	const fault = faultOfToken(access_token);
	if (fault === undefined) {
		return {
			accessToken: String(access_token),
			hasRefreshToken: typeof refresh_token === 'string',
			lifetime: Number(expires_in),
		};
	}
	throw new InvalidInputError({
		message: `The credential "${credential}" is not connected: its access token ${fault}`,
		hint: `Open the credential "${credential}" and connect your account`,
	});
}

/** With another type, n8n puts the token into the URL, where it may be logged (interface, section 5: a header). */
function assertBearer(tokenData: unknown, credential: string): void {
	const type = isObject(tokenData) ? (tokenData.token_type ?? 'bearer') : 'bearer';
	if (typeof type === 'string' && type.toLowerCase() === 'bearer') return;
	throw new InvalidInputError({
		message: `The service gave the credential "${credential}" a token of the type ${quote(type)}; only Bearer tokens can be used`,
		hint: 'Check that the Access Token URL belongs to the wallet service, and ask its operator for Bearer tokens',
	});
}

/**
 * Prepares a request of a node that is set to OAuth2: sets its base URL, which n8n does not know, and lets a 401 be thrown,
 * because then n8n renews the access token. A request with a pasted token is not changed.
 *
 * @returns the sign-in; `undefined` for a pasted token
 * @throws InvalidInputError when the credential is not connected or invalid, ServiceError when its sign-in has ended.
 */
export async function openSignIn(
	context: CredentialContext,
	request: Pick<IHttpRequestOptions, 'baseURL' | 'ignoreHttpStatusErrors'>,
): Promise<SignIn | undefined> {
	if (!usesOAuth(context)) return undefined;
	const { id, name = '' } = context.getNode().credentials?.[RENEWED_CREDENTIAL] ?? {};
	const stored = await context.getCredentials(RENEWED_CREDENTIAL);
	const allowInsecureHttp = stored.allowInsecureHttp === true;
	request.baseURL = normalizeBaseUrl(stored.baseUrl, allowInsecureHttp);
	// For an n8n whose OAuth2 does not send with the helper that `sendRenewing` replaces; none is known.
	request.ignoreHttpStatusErrors = { ignore: true, except: [401] };
	const tokenUrl = String(stored.accessTokenUrl);
	assertEncrypted(tokenUrl, 'Access Token URL', allowInsecureHttp);
	const connected = (tokenData: unknown): StoredTokens => {
		assertBearer(tokenData, name);
		return tokensOf(tokenData, name);
	};
	const { accessToken } = connected(stored.oauthTokenData);
	// Copied nodes may name a credential without its ID.
	const credential = JSON.stringify([id ?? null, name]);
	const known = endedSignIns.find(credential, accessToken);
	if (known !== undefined) throw known;
	return {
		name,
		credential,
		tokenUrl,
		readTokens: async () =>
			connected((await context.getCredentials(RENEWED_CREDENTIAL)).oauthTokenData),
	};
}
