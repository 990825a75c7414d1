/** A request whose access token is refused: n8n renews the sign-in, and the request is sent once more, or fails for a clear reason. */
import { type IExecuteSingleFunctions, type INode, NodeOperationError } from 'n8n-workflow';
import { sendSignedIn } from '../../../../nodes/WalletService/request/sign-in/renewal.ts';
import type { SignIn } from '../../../../nodes/WalletService/request/sign-in/sign-in.ts';

const HASH = `0x${'ab'.repeat(32)}`;
let accounts = 0;

const newSignIn = (): SignIn => ({
	name: 'My account',
	id: `account ${++accounts}`,
	accessToken: 'one',
	hasRefreshToken: true,
	stored: { clientSecret: 'c/secret', oauthTokenData: { refresh_token: 'r-secret' } },
	options: {},
});

type Answers = readonly (readonly [status: number, body: string])[];

/** Sends a request that gets these answers; the renewal ends in this error, if any. */
async function send(
	answers: Answers,
	{ error, isWrite = true }: { error?: Error; isWrite?: boolean } = {},
) {
	const left = answers.map(([statusCode, body]) => ({ statusCode, body, headers: {} }));
	let renewals = 0;
	const refreshOAuth2Token = async () => {
		renewals += 1;
		if (error !== undefined) throw error;
		await Promise.resolve();
	};
	const context = { helpers: { refreshOAuth2Token } } as unknown as IExecuteSingleFunctions;
	const answer = await sendSignedIn(context, newSignIn(), isWrite, async () => {
		const next = left.shift();
		if (next === undefined) throw new Error('Sent too often');
		return await Promise.resolve(next);
	});
	return { ...answer, renewals, unsent: left.length };
}

const failing = (own: object) => Object.assign(new Error('x'), own);
const LONG = 'x'.repeat(270);
const SAID = {
	error: 'invalid_client',
	error_description: `Unknown client for r-secret${LONG}, c/secret`,
};
const lost = new NodeOperationError({} as INode, 'The credential needs to be reconnected.');

test.each([
	['a grant that n8n reports as lost', lost, 'no longer accepts it'],
	['a revoked grant', failing({ body: { error: 'invalid_grant' } }), 'no longer accepts it'],
	['a lasting refusal', failing({ body: { error: 'invalid_client' } }), '(invalid_client)'],
	['a refusal in words', failing({ body: SAID }), 'renew it (Unknown client for [access token'],
	['an unusual refusal', failing({ body: { ...SAID, error: 'x' } }), 'error (Unknown client for ['],
	['an error of the token URL', failing({ code: 'ESTATUS', status: 502 }), 'cannot be reached'],
	['an unreachable token URL', failing({ code: 'ECONNREFUSED' }), 'cannot be reached'],
	['a failure of n8n', failing({}), 'cannot be reached'],
])('%s is a refusal of the request, which was answered with 401', async (_what, error, reason) => {
	await expect(send([[401, 'Unauthorized']], { error })).rejects.toMatchObject({
		message: expect.stringContaining(reason),
		details: { state: expect.stringMatching(/^refused/), httpStatus: 401 },
	});
});

test('a refusal in words does not repeat a secret', async () => {
	const sending = send([[401, '']], { error: failing({ body: SAID }) });
	await expect(sending).rejects.toMatchObject({ message: expect.not.stringMatching(/secret/) });
});

test.each([
	['any other answer', [[500, HASH]], [500, HASH, 0]],
	['a 401 that names a transaction', [[401, HASH]], [401, HASH, 0]],
	[
		'the answer after a renewal',
		[
			[401, ''],
			[200, '{}'],
		],
		[200, '{}', 1],
	],
	[
		'a 401 after a renewal',
		[
			[401, ''],
			[401, HASH],
		],
		[401, HASH, 1],
	],
] as const)('%s is returned', async (_what, answers, [statusCode, body, renewals]) => {
	expect(await send(answers)).toMatchObject({ statusCode, body, renewals, unsent: 0 });
});

test('a 401 to a read is renewed whatever it contains', async () => {
	const answer = await send(
		[
			[401, HASH],
			[200, '{}'],
		],
		{ isWrite: false },
	);
	expect(answer).toMatchObject({ statusCode: 200, renewals: 1 });
});
