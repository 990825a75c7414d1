import { createHash, randomBytes } from 'node:crypto';
import axios, { type AxiosResponse } from 'axios';
import type { SandboxReady } from '../../../sandbox/src/ready.mts';

/** Where codes of the client `n8n` go unless the sandbox is told otherwise. */
export const REDIRECT_URI = 'http://127.0.0.1:5678/rest/oauth2-credential/callback';

/** What the token endpoint answers to a good request. */
export interface Tokens {
	access_token: string;
	refresh_token: string;
	id_token: string;
	token_type: string;
	/** Seconds. */
	expires_in: number;
	scope: string;
}

/** PKCE: a secret and what is shown of it beforehand (RFC 7636, S256). */
export function newVerifier(): { verifier: string; challenge: string } {
	const verifier = randomBytes(32).toString('base64url');
	return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

const http = axios.create({ maxRedirects: 0, validateStatus: () => true });

/** A browser as far as signing in needs one: it keeps cookies, follows redirects and sends forms. */
class Browser {
	readonly #cookies = new Map<string, string>();

	/** Goes to an address of the sandbox; stops at a page, or at an address elsewhere. */
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

/** Where a browser ended up, and the last answer that the sandbox gave. */
export interface Visit {
	url: URL;
	answer: AxiosResponse<string>;
}

/** An application that signs users in at the sandbox, with the person at its browser. */
export class OAuthClient {
	readonly #oauth: SandboxReady['oauth'];
	readonly clientId: string;
	readonly redirectUri: string;

	constructor(
		{ oauth }: Pick<SandboxReady, 'oauth'>,
		{ clientId = oauth.clientId, redirectUri = REDIRECT_URI } = {},
	) {
		this.#oauth = oauth;
		this.clientId = clientId;
		this.redirectUri = redirectUri;
	}

	/** Sends a browser to the sandbox, which chooses a user and answers the question for consent. */
	async authorize(
		userId: string,
		parameters: Record<string, string>,
		decision: 'allow' | 'deny' = 'allow',
	): Promise<Visit> {
		const browser = new Browser();
		const url = new URL(this.#oauth.authorizationUrl);
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

	/** A code for a user, and the verifier that belongs to it. */
	async obtainCode(userId: string): Promise<{ code: string; verifier: string }> {
		const { verifier, challenge } = newVerifier();
		const { url } = await this.authorize(userId, { code_challenge: challenge, state: 'state' });
		return { code: url.searchParams.get('code') ?? '', verifier };
	}

	/** Asks the token endpoint; every status is an answer. */
	async askForTokens(form: Record<string, string>): Promise<AxiosResponse> {
		const data = new URLSearchParams({ client_id: this.clientId, ...form });
		return await http.post(this.#oauth.tokenUrl, data);
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

	/** Ends a sign-in, as its user would in the settings of their account (RFC 7009). */
	async revoke(token: string): Promise<void> {
		const data = new URLSearchParams({ client_id: this.clientId, token });
		const { status } = await http.post(`${this.#oauth.tokenUrl}/revocation`, data);
		if (status !== 200) throw new Error(`The token was not revoked: HTTP ${status}`);
	}

	/** Signs a user in from beginning to end. */
	async signIn(userId: string): Promise<Tokens> {
		const { code, verifier } = await this.obtainCode(userId);
		const { status, data } = await this.exchange(code, verifier);
		if (status !== 200) throw new Error(`No tokens were given: HTTP ${status}`);
		return data;
	}
}
