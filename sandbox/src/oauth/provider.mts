import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type Provider from 'oidc-provider';
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';
import type { Database } from '../../../service/src/store/tables.mts';
import { userById, type User } from '../../../service/src/store/users.mts';
import { registeredClients } from './clients.mts';
import { errorPage } from '../pages/sign-in.mts';

/** Settings and dependencies of the authorization server. */
export interface ProviderOptions {
	/** URL of the authorization server: the service's origin with `/oauth`. */
	issuer: string;
	db: Database;
	/** URL of a user's avatar image. */
	avatarOf: (user: User) => string;
	/** Lifetime of an access token, in seconds. */
	tokenSeconds: number;
	/** Allowed redirect addresses for n8n's codes. */
	redirectUris: string[];
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The claims of each scope at `/oauth/me`. */
const CLAIMS = { openid: ['sub', 'username', 'address', 'imageSrc'], email: ['email'] };

function signingKey(): object {
	const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
	return { ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: 'sandbox' };
}

/** Reports a failed request on a page, never with a redirect: the redirect target may be the cause. */
function renderError(
	context: KoaContextWithOIDC,
	{ error, error_description: description }: { error: string; error_description?: string },
): void {
	context.type = 'html';
	context.body = errorPage(error, description ?? 'The request could not be answered.');
}

/** Creates the authorization server: authorization code with PKCE S256, refresh token rotation, OpenID Connect discovery. */
export async function createProvider(options: ProviderOptions): Promise<Provider> {
	const { issuer, db, avatarOf, tokenSeconds, redirectUris } = options;
	const configuration: Configuration = {
		clients: registeredClients(redirectUris),
		claims: CLAIMS,
		scopes: ['openid', 'email', 'offline_access'],
		// Tokens are issued and checked by the same clock, so an expired one is never accepted.
		clockTolerance: 0,
		pkce: { required: () => true },
		// A refresh token is valid once; a second use revokes the whole grant (RFC 9700, section 4.14.2).
		rotateRefreshToken: true,
		jwks: { keys: [signingKey()] },
		cookies: { keys: [randomBytes(32).toString('hex')] },
		ttl: {
			AccessToken: tokenSeconds,
			AuthorizationCode: MINUTE,
			Grant: 30 * DAY,
			IdToken: HOUR,
			Interaction: 10 * MINUTE,
			RefreshToken: 30 * DAY,
			Session: DAY,
		},
		features: {
			devInteractions: { enabled: false },
			resourceIndicators: { enabled: false },
			revocation: { enabled: true },
			rpInitiatedLogout: { enabled: false },
		},
		interactions: { url: (_context, { uid }) => `/oauth/interaction/${uid}` },
		renderError,
		findAccount: async (_context, id) => {
			const user = await userById(db, id);
			if (!user) return undefined;
			const { username, email, address } = user;
			return {
				accountId: id,
				claims: () => ({
					sub: id,
					username,
					email: email ?? undefined,
					address,
					imageSrc: avatarOf(user),
				}),
			};
		},
	};
	const { default: OidcProvider } = await import('oidc-provider');
	return new OidcProvider(issuer, configuration);
}
