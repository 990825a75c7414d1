import type { ICredentialDataDecryptedObject, IDataObject, INode } from 'n8n-workflow';

import { inTests } from '../../support/resources.mts';
import { connectAccount, type Account } from '../../support/sandbox/connected-account.mts';
import type { OAuthClient, Tokens } from '../../support/sandbox/oauth-client.mts';
import type { TokenDoor } from '../../support/sandbox/token-door.mts';
import type { Engine } from './engine.mts';
import type { RunSettings } from './use-node.mts';
import { useNode } from './use-node.mts';
import { type Service, type Username, useService } from '../../support/sandbox/service.mts';

let accounts = 0;

/** This many items, numbered from 0. */
export const numbered = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({ index }));

/** A seeded user who is connected with OAuth2, with a proxy in front of the token endpoint that counts the renewals. */
export class OAuthAccount {
	/** Data of the credential; n8n puts renewed tokens into it. */
	readonly credential: ICredentialDataDecryptedObject;
	readonly door: TokenDoor;
	/** The settings that a node needs to use the account. */
	readonly node: Partial<INode>;
	readonly #client: OAuthClient;

	private constructor({ client, credential, door }: Account) {
		const { id, data } = credential;
		this.#client = client;
		this.door = door;
		this.node = { credentials: { walletServiceOAuth2Api: { id, name: 'My account' } } };
		this.credential = { ...data, userId: '' };
	}

	/** Signs a seeded user in. */
	static async connect(service: Service, username: Username = 'Nelly'): Promise<OAuthAccount> {
		return new OAuthAccount(await connectAccount(service, `account-${++accounts}`, username));
	}

	/** Signs another user in with the same credential: n8n keeps values that the new answer omits. */
	async reconnect(service: Service, username: Username, hasIdToken = true): Promise<void> {
		const tokens: Partial<Tokens> = await this.#client.signIn(service.user(username).id);
		if (!hasIdToken) delete tokens.id_token;
		const before = Object(this.credential.oauthTokenData) as Tokens;
		this.credential.oauthTokenData = { ...before, ...tokens };
	}

	/** A token that n8n currently stores. */
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

/** Starts a service before the tests of a file, signs a user in before each of them, and ends both afterwards. */
export function useSignIn(username?: Username) {
	const node = useNode(useService());
	const account = inTests(
		beforeEach,
		async () => await OAuthAccount.connect(node.service, username),
	);
	afterEach(async () => await account().door.close());
	return {
		node,
		/** The account of the test. */
		account,
		/** The access token of the next request expires. */
		expireToken: async () => await node.service.faults.add({ kind: 'expire-token', times: 1 }),
		/** One run, signed in with the test's account unless another is given. */
		async run(
			parameters: IDataObject,
			{
				account: by = account(),
				...settings
			}: RunSettings & { readonly account?: OAuthAccount } = {},
			way?: Engine,
		) {
			const { credential, node: credentials } = by;
			return await node.run(
				{ authentication: 'oAuth2', ...parameters },
				{ credential, ...settings, node: { ...credentials, ...settings.node } },
				way,
			);
		},
	};
}
