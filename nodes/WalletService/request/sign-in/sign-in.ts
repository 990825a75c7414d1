import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { ExpiringMap } from '../../values/caches';
import { SECOND_MS } from '../../values/clock';
import { InvalidInputError } from '../../values/invalid-input';
import { isObject } from '../../values/objects';
import { quote } from '../../values/quote';
import { urlOf } from '../../values/urls';
import type { CredentialContext } from '../credential/active-credential';
import { RENEWED_CREDENTIAL } from '../credential/active-credential';
import { assertEncrypted, baseUrlOf, withBaseUrl } from '../credential/base-url';
import { faultOfToken, networkOf } from '../credential/service-fields';
import type { ServiceError } from '../failure/service-error';

/**
 * The failures of ended sign-ins in this process. For a minute, no request uses such a sign-in: it would be refused,
 * and n8n would try another renewal. A new access token counts as a new sign-in.
 */
export const endedSignIns = new ExpiringMap<ServiceError>({
	maxEntries: 1000,
	holdsForMs: 60 * SECOND_MS,
});

export interface SignIn {
	readonly name: string;
	/** `null` in some copied nodes, which store only the name of a credential. */
	readonly id: string | null;
	readonly accessToken: string;
	readonly hasRefreshToken: boolean;
	/** The data of the credential. */
	readonly stored: ICredentialDataDecryptedObject;
	/** Request options: n8n does not know the base URL, and applies network settings to renewals only. */
	readonly options: Partial<IHttpRequestOptions>;
}

/** Identifies a sign-in: two credentials may have the same token, and one credential receives new tokens. */
export function signInKey({ id, name, accessToken }: SignIn): string {
	return JSON.stringify([id, name, accessToken]);
}

/**
 * Refuses tokens of any type but Bearer: n8n would put them into the URL, where they may be logged; the interface requires
 * a header (section 5).
 */
function assertBearer(type: unknown, credential: string): void {
	if (typeof type === 'string' && type.toLowerCase() === 'bearer') return;
	throw new InvalidInputError({
		message: `The service issued a token of type ${quote(type)} for the credential "${credential}"; only Bearer tokens can be used`,
		hint: 'Check that the Access Token URL belongs to the wallet service, and ask its operator for Bearer tokens',
	});
}

/**
 * Opens the sign-in of a node that is set to OAuth2.
 *
 * @throws InvalidInputError if the credential is invalid or not connected, ServiceError if its sign-in has ended.
 */
export async function openSignIn(context: CredentialContext): Promise<SignIn> {
	const { id, name = '' } = context.getNode().credentials?.[RENEWED_CREDENTIAL] ?? {};
	const stored = await context.getCredentials(RENEWED_CREDENTIAL);
	const { accessTokenUrl, oauthTokenData } = stored;
	const baseURL = baseUrlOf(withBaseUrl(stored));
	const accepted = stored.allowInsecureHttp === true;
	assertEncrypted(urlOf(String(accessTokenUrl).trim()), 'Access Token URL', accepted);
	const tokens = isObject(oauthTokenData) ? oauthTokenData : {};
	assertBearer(tokens.token_type ?? 'bearer', name);
	const fault = faultOfToken(tokens.access_token);
	if (fault !== undefined) {
		throw new InvalidInputError({
			message: `The credential "${name}" is not connected: its access token ${fault}`,
			hint: `Open the credential "${name}" and connect your account`,
		});
	}
	const signIn: SignIn = {
		name,
		id: id ?? null,
		accessToken: String(tokens.access_token),
		hasRefreshToken: typeof tokens.refresh_token === 'string',
		stored,
		options: { baseURL, ...networkOf(stored) },
	};
	const ended = endedSignIns.get(signInKey(signIn));
	if (ended !== undefined) throw ended;
	return signIn;
}
