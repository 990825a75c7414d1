/** The user of a sign-in, and untrusted ID tokens. */
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { withSignedInUser } from '../../../../nodes/WalletService/request/credential/signed-in-user.ts';

const CLAIMS = { sub: 'CHESS-zoë', aud: 'n8n', iss: 'https://wallet.example.com/oauth', exp: 1 };

function idToken(claims: unknown): string {
	const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
	return `${part({ alg: 'RS256' })}.${part(claims)}.signature`;
}

/** A credential as returned by n8n. */
function credentialOf(claims: object, changes: object = {}, tokens: object = {}) {
	const credential = {
		userId: '',
		clientId: 'n8n',
		scope: 'openid email offline_access',
		authUrl: 'https://wallet.example.com/oauth/auth',
		accessTokenUrl: 'https://tokens.example.com/token',
		oauthTokenData: {
			access_token: 'a',
			id_token: idToken({ ...CLAIMS, ...claims }),
			scope: 'openid email',
			...tokens,
		},
		...changes,
	};
	return credential as unknown as ICredentialDataDecryptedObject;
}

test.each([
	['the subject of the ID token', {}, {}, {}],
	['one of several audiences', { aud: ['other', 'n8n'] }, {}, {}],
	['an issuer at the host of the tokens', { iss: 'https://tokens.example.com' }, {}, {}],
	['a service that does not state its scopes', {}, {}, { scope: undefined }],
	['white space in place of a user', {}, { userId: ' ' }, {}],
])('%s names the user', (_what, claims, changes, tokens) => {
	const credential = credentialOf(claims, changes, tokens);
	expect(withSignedInUser(credential)).toEqual({ ...credential, userId: 'CHESS-zoë' });
});

test.each<[string, object, object, object]>([
	['a subject of another form', { sub: 'zoe@example.com' }, {}, {}],
	['a subject in lower case', { sub: 'chess-zoë' }, {}, {}],
	['a number', { sub: 7 }, {}, {}],
	['nothing', { sub: undefined }, {}, {}],
	['a UUID', { sub: '55008400-0000-4000-8000-446655440000' }, {}, {}],
	['another client', { aud: 'other' }, {}, {}],
	['no client', { aud: undefined }, {}, {}],
	['another service', { iss: 'https://elsewhere.example.com/oauth' }, {}, {}],
	['no service', { iss: undefined }, { authUrl: '', accessTokenUrl: '' }, {}],
	['a sign-in that does not request an identity', {}, { scope: 'email' }, {}],
	['a sign-in that was not granted an identity', {}, {}, { scope: 'email offline_access' }],
	['unreadable scopes', {}, {}, { scope: ['openid'] }],
	['no ID token', {}, {}, { id_token: undefined }],
	['an invalid ID token', {}, {}, { id_token: 'opaque' }],
	['an ID token that is not an object', {}, {}, { id_token: idToken(['sub']) }],
	['an account that is not connected', {}, { oauthTokenData: undefined }, {}],
	...['DISCORD-1', 'nonsense', undefined, null, 7].map(
		(userId): [string, object, object, object] => [`the User ID ${userId}`, {}, { userId }, {}],
	),
])('with %s the credential remains as it is', (_what, claims, changes, tokens) => {
	const credential = credentialOf(claims, changes, tokens);
	expect(withSignedInUser(credential)).toBe(credential);
});
