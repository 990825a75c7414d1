import type { ImportedCredential } from '../../../tools/sandbox/credentials.mts';
import { OAuthClient } from './oauth-client.mts';
import type { Service, Username } from './service.mts';
import { TokenDoor } from './token-door.mts';

/** A seeded user who is connected by OAuth2 as a public client, with a proxy in front of the token endpoint. */
export interface Account {
	client: OAuthClient;
	/** The credential in the form of n8n's import. */
	credential: ImportedCredential;
	/** Counts the renewals. */
	door: TokenDoor;
}

/** Signs a seeded user in. @param accessToken - Stored in place of the real access token, so that it must be renewed. */
export async function connectAccount(
	{ ready, user }: Service,
	id: string,
	username: Username,
	accessToken?: string,
): Promise<Account> {
	const { oauth, baseUrl } = ready;
	const userId = user(username).id;
	const client = new OAuthClient(ready);
	const tokens = await client.signIn(userId);
	const door = await TokenDoor.open(oauth.tokenUrl);
	const data = {
		baseUrl,
		userId,
		authUrl: oauth.authorizationUrl,
		accessTokenUrl: door.url,
		clientId: oauth.clientId,
		scope: tokens.scope,
		oauthTokenData: { ...tokens, access_token: accessToken ?? tokens.access_token },
	};
	return { client, credential: { id, name: id, type: 'walletServiceOAuth2Api', data }, door };
}
