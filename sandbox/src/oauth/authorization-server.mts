import type Provider from 'oidc-provider';
import type { TokenVerifier } from '../../../service/src/store/tokens.mts';
import { userById } from '../../../service/src/store/users.mts';
import { createProvider, type ProviderOptions } from './provider.mts';

/** Path of the authorization server. */
export const MOUNT_PATH = '/oauth';

/** The OAuth endpoints an application needs. */
export interface OAuthEndpoints {
	issuer: string;
	authorizationUrl: string;
	tokenUrl: string;
}

/** @param origin the service's own origin */
export function oauthEndpointsAt(origin: string): OAuthEndpoints {
	const issuer = `${origin}${MOUNT_PATH}`;
	return { issuer, authorizationUrl: `${issuer}/auth`, tokenUrl: `${issuer}/token` };
}

/** The service's authorization server, loaded on first use: few starts need it, and its issuer is known only once it listens. */
export class AuthorizationServer {
	readonly #origin: () => string;
	readonly #options: Omit<ProviderOptions, 'issuer'>;
	#provider: Promise<Provider> | undefined;

	/** @param origin returns the service's own origin */
	constructor(origin: () => string, options: Omit<ProviderOptions, 'issuer'>) {
		this.#origin = origin;
		this.#options = options;
	}

	get provider(): Promise<Provider> {
		const { issuer } = oauthEndpointsAt(this.#origin());
		return (this.#provider ??= createProvider({ ...this.#options, issuer }));
	}

	/** The caller with an access token; undefined if it is unknown, expired or revoked. */
	readonly verify: TokenVerifier = async (token) => {
		const found = await (await this.provider).AccessToken.find(token);
		const user = found && (await userById(this.#options.db, found.accountId));
		return user && { user, scopes: ['read', 'write'] };
	};

	/** Ends an access token at once; its refresh token stays valid. */
	async expire(token: string | undefined): Promise<void> {
		if (token === undefined) return;
		await (await (await this.provider).AccessToken.find(token))?.destroy();
	}
}
