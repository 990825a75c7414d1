import { setTimeout } from 'node:timers/promises';
import axios from 'axios';
import {
	OAuthClient,
	newVerifier,
	REDIRECT_URI,
	type Tokens,
} from '../support/sandbox/oauth-client.mts';
import { WRITE } from '../support/sandbox/faults.mts';
import { Service, userPath, useService } from '../support/sandbox/service.mts';

const sandbox = useService();

/** For sign-ins whose code is not used: the challenge of a verifier that nobody knows. */
const UNKNOWN_VERIFIER = { code_challenge: 'x'.repeat(43) };

const storeCall = () => ({
	address: sandbox().contracts.shapes,
	abi: 'store(uint256)',
	args: ['1'],
});
const newClient = (options?: { clientId?: string; redirectUri?: string }) =>
	new OAuthClient(sandbox().ready, options);

async function signInAs(username: 'Nelly' | 'mika_dev'): Promise<Tokens> {
	return await newClient().signIn(sandbox().user(username).id);
}

const clientOf = ({ access_token: token }: Tokens) => sandbox().client(token);

/** Sends a request with an access token, and returns its status. */
const statusWith = async (tokens: Tokens): Promise<number> =>
	(await clientOf(tokens).get(userPath(sandbox().user()))).status;

test('discovery names the endpoints, PKCE S256 and public clients', async () => {
	const { oauth } = sandbox().ready;
	const { data } = await axios.get(`${oauth.issuer}/.well-known/openid-configuration`);
	expect(data).toMatchObject({
		issuer: oauth.issuer,
		authorization_endpoint: oauth.authorizationUrl,
		token_endpoint: oauth.tokenUrl,
		userinfo_endpoint: `${oauth.issuer}/me`,
		jwks_uri: `${oauth.issuer}/jwks`,
		code_challenge_methods_supported: ['S256'],
		response_types_supported: expect.arrayContaining(['code']),
		token_endpoint_auth_methods_supported: expect.arrayContaining(['none']),
	});
	const { keys } = (await axios.get(`${oauth.issuer}/jwks`)).data;
	expect(keys).toEqual([expect.objectContaining({ kty: 'RSA', use: 'sig' })]);
	expect(keys[0]).not.toHaveProperty('d');
});

test('the login page offers every user', async () => {
	const { ready, user } = sandbox();
	const { answer, url } = await newClient().authorize('nobody', UNKNOWN_VERIFIER);
	expect(answer.status).toBe(400);
	// The form is posted below the address of its page, in the same browser.
	const { Cookie } = answer.config.headers;
	const page = await axios.get(url.href.replace(/\/login$/, ''), { headers: { Cookie } });
	expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
	for (const { username } of ready.users) expect(page.data).toContain(username);
	expect(page.data).toContain(user('Nelly').id);
});

test('/oauth/me describes the signed-in user, who acts with their own wallet', async () => {
	const mika = sandbox().user('mika_dev');
	const tokens = await signInAs('mika_dev');
	expect(tokens).toMatchObject({
		token_type: 'Bearer',
		expires_in: 86_400,
		scope: 'openid email offline_access',
		refresh_token: expect.any(String),
		id_token: expect.any(String),
	});
	const me = await clientOf(tokens).get(`${sandbox().ready.oauth.issuer}/me`);
	const profile = await clientOf(tokens).get(userPath(mika));
	expect(me.data).toEqual({
		sub: mika.id,
		username: 'mika_dev',
		email: 'mika@users.example',
		address: mika.address,
		imageSrc: profile.data.imageSrc,
	});
	const write = await clientOf(tokens).post(WRITE, storeCall());
	expect(write.data).toMatchObject({ status: 'SUCCESS', tx: { from: mika.address } });
});

test('a token of one user cannot write as another', async () => {
	const { user, chain } = sandbox();
	const nelly = user('Nelly');
	const before = await chain.getTransactionCount(nelly.address);
	const tokens = await signInAs('mika_dev');
	for (const as of [{ from: nelly.address }, { userId: nelly.id }]) {
		const { status } = await clientOf(tokens).post(WRITE, { ...storeCall(), ...as });
		expect(status).toBe(400);
	}
	expect(await chain.getTransactionCount(nelly.address)).toBe(before);
});

test('without the scope offline_access there is no refresh token', async () => {
	const client = newClient();
	const { verifier, challenge } = await newVerifier();
	const parameters = { scope: 'openid', code_challenge: challenge };
	const { url } = await client.authorize(sandbox().user('Nelly').id, parameters);
	const { data } = await client.exchange(url.searchParams.get('code') ?? '', verifier);
	expect(data.access_token).toEqual(expect.any(String));
	expect(data).not.toHaveProperty('refresh_token');
});

test('a refresh token can be used once: a second use ends the whole sign-in', async () => {
	const client = newClient();
	const first = await signInAs('Nelly');
	const second = (await client.refresh(first.refresh_token)).data;
	expect(second.refresh_token).not.toBe(first.refresh_token);
	expect(await statusWith(second)).toBe(200);

	const replay = await client.refresh(first.refresh_token);
	expect(replay).toMatchObject({ status: 400, data: { error: 'invalid_grant' } });
	expect(await statusWith(second)).toBe(401);
	expect((await client.refresh(second.refresh_token)).status).toBe(400);
});

test('the fault expire-token ends the access token of a request, not its refresh token, nor one of a seeded user', async () => {
	const tokens = await signInAs('Nelly');
	const { faults, as, user } = sandbox();
	await faults.add({ kind: 'expire-token', times: 1 });
	expect(await statusWith(tokens)).toBe(401);
	expect(await statusWith(tokens)).toBe(401);
	const { data } = await newClient().refresh(tokens.refresh_token);
	expect(await statusWith(data)).toBe(200);
	await faults.add({ kind: 'expire-token', times: 1 });
	expect((await as('Nelly').get(userPath(user()))).status).toBe(200);
	expect(await statusWith(data)).toBe(200);
});

test('a revoked refresh token also ends its access tokens', async () => {
	const client = newClient();
	const tokens = await signInAs('Nelly');
	await client.revoke(tokens.refresh_token);
	expect(await statusWith(tokens)).toBe(401);
	expect((await client.refresh(tokens.refresh_token)).data.error).toBe('invalid_grant');
});

test('a sign-in returns its state, and so does a denial', async () => {
	const parameters = { ...UNKNOWN_VERIFIER, state: 'a b&c=d' };
	const { id } = sandbox().user('Nelly');
	const allowed = await newClient().authorize(id, parameters);
	expect(`${allowed.url.origin}${allowed.url.pathname}`).toBe(REDIRECT_URI);
	expect(allowed.url.searchParams.get('state')).toBe('a b&c=d');

	const denied = await newClient().authorize(id, parameters, 'deny');
	expect(Object.fromEntries(denied.url.searchParams)).toMatchObject({
		error: 'access_denied',
		state: 'a b&c=d',
	});
	expect(denied.url.searchParams.has('code')).toBe(false);
});

describe('refusals', () => {
	const nellyId = () => sandbox().user('Nelly').id;

	const refusedGrant = { status: 400, data: { error: 'invalid_grant' } };

	test('a code with the wrong verifier, or with none', async () => {
		const client = newClient();
		for (const verifier of [(await newVerifier()).verifier, '']) {
			const { code } = await client.obtainCode(nellyId());
			expect(await client.exchange(code, verifier)).toMatchObject(refusedGrant);
		}
	});

	test.each([
		['no challenge', {}],
		['a plain challenge', { ...UNKNOWN_VERIFIER, code_challenge_method: 'plain' }],
	])('a sign-in with %s', async (_what, parameters) => {
		const { url } = await newClient().authorize(nellyId(), parameters);
		expect(url.searchParams.get('error')).toBe('invalid_request');
		expect(url.searchParams.has('code')).toBe(false);
	});

	test('a replayed code, which also ends the sign-in that it started', async () => {
		const client = newClient();
		const { code, verifier } = await client.obtainCode(nellyId());
		const { data } = await client.exchange(code, verifier);
		expect(await statusWith(data)).toBe(200);
		expect(await client.exchange(code, verifier)).toMatchObject(refusedGrant);
		expect(await statusWith(data)).toBe(401);
	});

	test("another application's code and refresh token", async () => {
		const redirectUri = 'http://127.0.0.1:5679/callback';
		const other = newClient({ clientId: 'wallet-viewer', redirectUri });
		const { code, verifier } = await other.obtainCode(nellyId());
		expect(await newClient().exchange(code, verifier)).toMatchObject(refusedGrant);
		const tokens = await other.signIn(nellyId());
		expect(await newClient().refresh(tokens.refresh_token)).toMatchObject(refusedGrant);
	});

	test.each([
		['invalid_redirect_uri', 'n8n', 'https://evil.example/rest/oauth2-credential/callback'],
		['invalid_redirect_uri', 'n8n', `${REDIRECT_URI}/../elsewhere`],
		['invalid_redirect_uri', 'n8n', `${REDIRECT_URI}?next=https://evil.example`],
		['invalid_redirect_uri', 'n8n', `${REDIRECT_URI}@evil.example`],
		['invalid_redirect_uri', 'n8n', 'http://127.0.0.1:5679/callback'],
		['invalid_client', 'unknown', REDIRECT_URI],
	])('%s: an error page, and the browser stays, for %s at %s', async (...row) => {
		const [error, clientId, redirectUri] = row;
		const client = newClient({ clientId, redirectUri });
		const { url, answer } = await client.authorize(nellyId(), UNKNOWN_VERIFIER);
		expect(url.origin).toBe(sandbox().ready.baseUrl);
		expect(answer.status).toBe(400);
		expect(answer.data).toContain(error);
	});

	test('a code for another redirect address', async () => {
		const { code, verifier } = await newClient().obtainCode(nellyId());
		const redirectUri = 'http://localhost:5678/rest/oauth2-credential/callback';
		const elsewhere = newClient({ redirectUri });
		expect(await elsewhere.exchange(code, verifier)).toMatchObject(refusedGrant);
	});

	test("an answer in someone else's browser", async () => {
		const { ready, anonymous } = sandbox();
		const { url } = await newClient().authorize('nobody', UNKNOWN_VERIFIER);
		const form = new URLSearchParams({ userId: nellyId() });
		const { status, headers } = await anonymous.post(url.href, form);
		expect(url.href).toContain(`${ready.oauth.issuer}/interaction/`);
		expect(status).toBe(400);
		expect(headers).not.toHaveProperty('location');
	});
});

test('an access token expires, and is replaced by the refresh token', async () => {
	const redirectUri = 'https://n8n.example/rest/oauth2-credential/callback';
	await using service = await Service.start({
		SANDBOX_TOKEN_SECONDS: '4',
		SANDBOX_REDIRECT_URIS: `${redirectUri}, http://localhost:1/callback`,
	});
	const client = new OAuthClient(service.ready, { redirectUri });
	const nelly = service.user('Nelly');
	const ask = async (token: string) => (await service.client(token).get(userPath(nelly))).status;
	const tokens = await client.signIn(nelly.id);
	expect(tokens.expires_in).toBe(4);
	expect(await ask(tokens.access_token)).toBe(200);
	// Only the passage of time expires the token: there is no event to wait for.
	await setTimeout(4000);
	expect(await ask(tokens.access_token)).toBe(401);
	const { data } = await client.refresh(tokens.refresh_token);
	expect(await ask(data.access_token)).toBe(200);
});
