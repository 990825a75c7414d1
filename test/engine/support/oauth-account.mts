import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INode,
	INodeParameters,
} from 'n8n-workflow';

import { OAuthClient, type Tokens } from '../../support/sandbox/oauth-client.mts';
import { TokenDoor } from '../../support/sandbox/token-door.mts';
import type { Engine, EngineResult } from './engine.mts';
import type { Service, Username } from '../../support/sandbox/service.mts';

let accounts = 0;

/** So many items, numbered from 0. */
export const numbered = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({ index }));

/** A seeded user who is connected by OAuth2, with a door at which the renewals are counted. */
export class OAuthAccount {
	/** Data of the credential; n8n puts renewed tokens into it. */
	readonly credential: ICredentialDataDecryptedObject;
	readonly door: TokenDoor;
	/** What a node needs to use it. */
	readonly node: Partial<INode>;
	readonly #client: OAuthClient;

	private constructor(client: OAuthClient, door: TokenDoor, service: Service, tokens: Tokens) {
		this.#client = client;
		this.door = door;
		const id = `account-${++accounts}`;
		this.node = { credentials: { walletServiceOAuth2Api: { id, name: 'My account' } } };
		this.credential = {
			grantType: 'pkce',
			baseUrl: service.ready.baseUrl,
			authUrl: service.ready.oauth.authorizationUrl,
			accessTokenUrl: door.url,
			clientId: client.clientId,
			clientSecret: '',
			scope: 'openid email offline_access',
			authentication: 'header',
			userId: '',
			oauthTokenData: { ...tokens },
		};
	}

	/** Signs a seeded user in. */
	static async connect(service: Service, username?: Username): Promise<OAuthAccount> {
		const client = new OAuthClient(service.ready);
		const door = await TokenDoor.open(service.ready.oauth.tokenUrl);
		const tokens = await client.signIn(service.user(username).id);
		return new OAuthAccount(client, door, service, tokens);
	}

	/** Runs the node over items, signed in by this account. */
	async run(
		engine: Engine,
		parameters: INodeParameters,
		items: IDataObject[] = [{}],
		node: Partial<INode> = {},
	): Promise<EngineResult> {
		return await engine.run({
			parameters: { authentication: 'oAuth2', ...parameters },
			credential: this.credential,
			items,
			node: { ...this.node, ...node },
		});
	}

	/** Signs another user in with the same credential: n8n keeps what the new answer leaves out. */
	async reconnect(service: Service, username: Username, hasIdToken = true): Promise<void> {
		const tokens: Partial<Tokens> = await this.#client.signIn(service.user(username).id);
		if (!hasIdToken) delete tokens.id_token;
		const before = Object(this.credential.oauthTokenData) as Tokens;
		this.credential.oauthTokenData = { ...before, ...tokens };
	}

	/** A token that n8n holds now. */
	token(name: 'access_token' | 'refresh_token'): string {
		const { oauthTokenData: tokens } = this.credential;
		const token: unknown = Reflect.get(Object(tokens), name);
		if (typeof token !== 'string') throw new Error(`There is no ${name}`);
		return token;
	}

	/** Ends the sign-in at the service, as the user would. */
	async revoke(): Promise<void> {
		await this.#client.revoke(this.token('refresh_token'));
	}
}
