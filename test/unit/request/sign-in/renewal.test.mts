/** Errors of n8n's OAuth2, which renews a sign-in automatically: some concern the renewal, others the request. */
import { sendSignedIn } from '../../../../nodes/WalletService/request/sign-in/renewal.ts';
import type { SignIn } from '../../../../nodes/WalletService/request/sign-in/sign-in.ts';

const TOKEN_URL = 'https://wallet.example/token';
const HASH = `0x${'ab'.repeat(32)}`;
let accounts = 0;

const newSignIn = (): SignIn => ({
	name: 'My account',
	id: `account ${++accounts}`,
	tokenUrl: TOKEN_URL,
	accessToken: 'one',
	hasRefreshToken: true,
	options: {},
});
const thrown = (own: object) => async () =>
	await Promise.reject(Object.assign(new Error('x'), own));
const answered = (statusCode: number, body: string) => async () =>
	await Promise.resolve({ statusCode, body, headers: {} });

test.each([
	['a revoked grant by n8n', { failure: { cause: 'credential-invalid' } }, 'no longer accepts it'],
	['a revoked grant', { body: { error: 'invalid_grant' } }, 'no longer accepts it'],
	['a lasting refusal', { body: { error: 'invalid_client' } }, 'to renew it (invalid_client)'],
	['an error of the token URL', { code: 'ESTATUS', status: 502 }, 'cannot be reached'],
	['an unreachable token URL', { config: { url: TOKEN_URL } }, 'cannot be reached'],
])('%s is a refusal of the request, which was answered with 401', async (_what, error, reason) => {
	const sending = sendSignedIn(newSignIn(), undefined, thrown({ cause: error }));
	await expect(sending).rejects.toMatchObject({
		message: expect.stringContaining(reason),
		details: { certainty: 'refused', httpStatus: 401 },
	});
});

test.each([
	['a cut connection', { code: 'ECONNRESET', config: { url: '/v1/x' } }],
	['anything else', {}],
])('%s is not mistaken for a failed renewal', async (_what, error) => {
	await expect(sendSignedIn(newSignIn(), undefined, thrown(error))).rejects.toMatchObject(error);
});

test('a 401 that n8n throws after its renewal is an answer, with its whole body and its headers', async () => {
	const headers = { location: 'x' };
	const response = { status: 401, data: HASH, headers, config: { url: '/v1/x' } };
	const answer = await sendSignedIn(newSignIn(), undefined, thrown({ cause: { response } }));
	expect(answer).toEqual({ statusCode: 401, body: HASH, headers });
});

test('a 401 that n8n does not renew ends the sign-in, unless it names a transaction', async () => {
	const sending = sendSignedIn(newSignIn(), undefined, answered(401, 'Unauthorized'));
	await expect(sending).rejects.toThrow(/has ended: .* does not renew it \(2\.30 and newer do\)/);
	const answer = await sendSignedIn(newSignIn(), undefined, answered(401, HASH));
	expect(answer.statusCode).toBe(401);
});

test('a renewal that never ends is cancelled with the request', async () => {
	const never = async () => await new Promise<never>(() => undefined);
	const sending = sendSignedIn(newSignIn(), AbortSignal.abort(), never);
	await expect(sending).rejects.toMatchObject({ code: 'ERR_CANCELED' });
});
