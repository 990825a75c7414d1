import axios, { type AxiosResponse } from 'axios';
import * as oauth from 'oauth4webapi';
import type { SandboxReady } from '../../../sandbox/src/ready.mts';

/** Default redirect URI of the client `n8n`. */
export const REDIRECT_URI = 'http://127.0.0.1:5678/rest/oauth2-credential/callback';

/** The token endpoint's answer to a valid request. */
export interface Tokens {
	access_token: string;
	refresh_token: string;
	id_token: string;
	token_type: string;
	/** Lifetime of the access token, in seconds. */
	expires_in: number;
	scope: string;
}

/** Creates a PKCE verifier and the challenge derived from it (RFC 7636, S256). */
export async function newVerifier(): Promise<{ verifier: string; challenge: string }> {
	const verifier = oauth.generateRandomCodeVerifier();
	return { verifier, challenge: await oauth.calculatePKCECodeChallenge(verifier) };
}

/** The sandbox runs on this machine, without TLS. */
const INSECURE = { [oauth.allowInsecureRequests]: true };

const http = axios.create({ maxRedirects: 0, validateStatus: () => true });

/** A minimal browser for signing in: it keeps cookies, follows redirects and submits forms. */
class Browser {
	readonly #cookies = new Map<string, string>();

	/** Opens a URL of the sandbox and follows redirects until it reaches a page, or a URL outside the sandbox. */
	async visit(url: string, form?: Record<string, string>): Promise<Visit> {
		const cookie = [...this.#cookies].map((pair) => pair.join('=')).join('; ');
		const answer = await http.request<string>({
			url,
			method: form ? 'POST' : 'GET',
			data: form && new URLSearchParams(form),
			headers: { Cookie: cookie },
		});
		for (const line of answer.headers['set-cookie'] ?? []) {
			const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
			this.#cookies.set(name, value);
		}
		const { location } = answer.headers;
		if (typeof location !== 'string') return { url: new URL(url), answer };
		const next = new URL(location, url);
		if (next.origin !== new URL(url).origin) return { url: next, answer };
		return await this.visit(next.href);
	}
}

/** Final URL of a browser, and the sandbox's last answer. */
interface Visit {
	url: URL;
	answer: AxiosResponse<string>;
}

/**
 * An application that signs users in at the sandbox, together with the person at the browser. Sign-ins that should succeed
 * use `oauth4webapi`, which checks every answer; possibly invalid requests are sent unchecked, with any status accepted.
 */
export class OAuthClient {
	readonly #endpoints: SandboxReady['oauth'];
	readonly clientId: string;
	readonly redirectUri: string;

	constructor(
		{ oauth: endpoints }: Pick<SandboxReady, 'oauth'>,
		{ clientId = endpoints.clientId, redirectUri = REDIRECT_URI } = {},
	) {
		this.#endpoints = endpoints;
		this.clientId = clientId;
		this.redirectUri = redirectUri;
	}

	/** Opens the sandbox in a browser, chooses a user, and gives or denies consent. */
	async authorize(
		userId: string,
		parameters: Record<string, string>,
		decision: 'allow' | 'deny' = 'allow',
	): Promise<Visit> {
		const browser = new Browser();
		const url = new URL(this.#endpoints.authorizationUrl);
		const defaults = {
			client_id: this.clientId,
			redirect_uri: this.redirectUri,
			response_type: 'code',
			scope: 'openid email offline_access',
			prompt: 'consent',
			code_challenge_method: 'S256',
		};
		url.search = new URLSearchParams({ ...defaults, ...parameters }).toString();
		let visit = await browser.visit(url.href);
		const forms: Record<string, string>[] = [{ userId }, { decision }];
		for (const form of forms) {
			const [, action] = /<form method="post" action="([^"]+)"/.exec(visit.answer.data) ?? [];
			if (action === undefined) return visit;
			visit = await browser.visit(new URL(action, visit.url).href, form);
		}
		return visit;
	}

	/** Obtains a code for a user. @returns the code, its verifier, and the parameters that came with it */
	async obtainCode(userId: string) {
		const { verifier, challenge } = await newVerifier();
		const state = oauth.generateRandomState();
		const { url } = await this.authorize(userId, { code_challenge: challenge, state });
		const server = await this.#discover();
		const parameters = oauth.validateAuthResponse(server, this.#client, url, state);
		return { code: parameters.get('code') ?? '', verifier, parameters };
	}

	/** Sends a request to the token endpoint; any status counts as an answer. */
	async askForTokens(form: Record<string, string>): Promise<AxiosResponse> {
		const data = new URLSearchParams({ client_id: this.clientId, ...form });
		return await http.post(this.#endpoints.tokenUrl, data);
	}

	async exchange(code: string, verifier: string): Promise<AxiosResponse> {
		return await this.askForTokens({
			grant_type: 'authorization_code',
			code,
			code_verifier: verifier,
			redirect_uri: this.redirectUri,
		});
	}

	async refresh(refreshToken: string): Promise<AxiosResponse> {
		return await this.askForTokens({ grant_type: 'refresh_token', refresh_token: refreshToken });
	}

	/** Revokes a sign-in, as its user would in their account settings (RFC 7009). */
	async revoke(token: string): Promise<void> {
		const server = await this.#discover();
		const sent = await oauth.revocationRequest(server, this.#client, oauth.None(), token, INSECURE);
		await oauth.processRevocationResponse(sent);
	}

	/** Signs a user in, from authorization to tokens. */
	async signIn(userId: string): Promise<Tokens> {
		const server = await this.#discover();
		const { parameters, verifier } = await this.obtainCode(userId);
		const by = [server, this.#client, oauth.None()] as const;
		const grant = [parameters, this.redirectUri, verifier, INSECURE] as const;
		const answer = await oauth.authorizationCodeGrantRequest(...by, ...grant);
		const expected = { requireIdToken: true };
		await oauth.processAuthorizationCodeResponse(server, this.#client, answer.clone(), expected);
		return await answer.json();
	}

	get #client(): oauth.Client {
		return { client_id: this.clientId };
	}

	async #discover(): Promise<oauth.AuthorizationServer> {
		const issuer = new URL(this.#endpoints.issuer);
		const answer = await oauth.discoveryRequest(issuer, INSECURE);
		return await oauth.processDiscoveryResponse(issuer, answer);
	}
}
