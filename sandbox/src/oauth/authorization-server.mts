import type Provider from 'oidc-provider';
import type { TokenVerifier } from '../wallets/access-tokens.mts';
import { createProvider, type ProviderOptions } from './provider.mts';

/** Where the authorization server is mounted. */
export const MOUNT_PATH = '/oauth';

/** The OAuth endpoints that an application has to know. */
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

/** The authorization server of the service. Its issuer is known once the service listens, so it is made when first asked. */
export class AuthorizationServer implements TokenVerifier {
	readonly #origin: () => string;
	readonly #options: Omit<ProviderOptions, 'issuer'>;
	#provider: Provider | undefined;

	/** @param origin gives the service's own origin */
	constructor(origin: () => string, options: Omit<ProviderOptions, 'issuer'>) {
		this.#origin = origin;
		this.#options = options;
	}

	get provider(): Provider {
		const { issuer } = oauthEndpointsAt(this.#origin());
		return (this.#provider ??= createProvider({ ...this.#options, issuer }));
	}

	/** The user whom an access token was issued for; undefined when it is unknown, expired or revoked. */
	async verify(token: string): ReturnType<TokenVerifier['verify']> {
		const found = await this.provider.AccessToken.find(token);
		return found && this.#options.users.withId(found.accountId);
	}
}
