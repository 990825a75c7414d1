import { setTimeout } from 'node:timers/promises';
import { OAuthClient } from '../support/sandbox/oauth-client.mts';
import { userPath, useService } from '../support/sandbox/service.mts';

const LIFETIME_SECONDS = 2;
const REDIRECT = 'https://n8n.example/rest/oauth2-credential/callback';

const sandbox = useService({
	SANDBOX_TOKEN_SECONDS: String(LIFETIME_SECONDS),
	SANDBOX_REDIRECT_URIS: `${REDIRECT}, http://localhost:1/callback`,
});

test('an access token expires, and is replaced by the refresh token', async () => {
	const { ready, user } = sandbox();
	const client = new OAuthClient(ready, { redirectUri: REDIRECT });
	const nelly = user('Nelly');
	const ask = async (token: string) => (await sandbox().client(token).get(userPath(nelly))).status;
	const tokens = await client.signIn(nelly.id);
	expect(tokens.expires_in).toBe(LIFETIME_SECONDS);
	expect(await ask(tokens.access_token)).toBe(200);
	// Only the passage of time expires the token: there is no event to wait for.
	await setTimeout(LIFETIME_SECONDS * 1000);
	expect(await ask(tokens.access_token)).toBe(401);
	const { data } = await client.refresh(tokens.refresh_token);
	expect(await ask(data.access_token)).toBe(200);
});
