/** The credential's test, in the context that n8n gives it. */
import type { LocalServer } from '../../tools/network/local-server.mts';
import { startLocalServer } from '../../tools/network/local-server.mts';
import { Service } from '../support/sandbox/service.mts';
import { useResources } from '../support/resources.mts';
import { CredentialTester } from './support/credential-tester.mts';

let service: Service;
let tester: CredentialTester;

const resources = useResources();
beforeAll(async () => {
	[service, tester] = await Promise.all([resources.use(Service.start()), CredentialTester.load()]);
});

test('all good, with and without a user', async () => {
	expect(await tester.test(service.credential())).toMatchObject({ status: 'OK' });
	expect(await tester.test({ ...service.credential(), userId: '' })).toMatchObject({
		status: 'OK',
	});
});

test('a wrong token', async () => {
	for (const userId of ['', service.user().id]) {
		expect(await tester.test({ ...service.credential(), userId, accessToken: 'wrong' })).toEqual({
			status: 'Error',
			message: 'The access token was rejected: it is wrong or has expired. Enter a new one.',
		});
	}
});

test.each(['', ' \n', 'of two\nlines', 'Bearer abcd'])(
	'%j as the token is not sent',
	async (entry) => {
		await using other = await startLocalServer((_request, response) =>
			response.writeHead(401).end(),
		);
		const { status, message } = await tester.test({ baseUrl: other.url, accessToken: entry });
		expect(status).toBe('Error');
		expect(message).toMatch(
			/^The access token (?:is empty|contains white space.*)\. Open the credential/,
		);
	},
);

test('a user that the service does not know', async () => {
	expect(await tester.test({ ...service.credential(), userId: 'DISCORD-404' })).toMatchObject({
		status: 'Error',
		message: expect.stringContaining('does not know the user DISCORD-404'),
	});
});

test.each([{ id: 'discord-1' }, {}])('the profile %j in place of DISCORD-1', async (profile) => {
	await using other = await startLocalServer(({ headers }, response) =>
		response
			.writeHead(headers.authorization === undefined ? 401 : 200)
			.end(JSON.stringify({ address: `0x${'1a'.repeat(20)}`, ...profile })),
	);
	const credential = { ...service.credential(), baseUrl: other.url, userId: 'DISCORD-1' };
	expect(await tester.test(credential)).toEqual({
		status: 'Error',
		message: 'The service answers with the profile of another user than DISCORD-1.',
	});
});

test('a host that cannot be reached', async () => {
	expect(
		await tester.test({ ...service.credential(), baseUrl: 'http://127.0.0.1:9' }),
	).toMatchObject({
		status: 'Error',
		message: expect.stringContaining('could not be reached: nothing listens at its address'),
	});
});

test('a URL that is not acceptable', async () => {
	expect(
		await tester.test({ ...service.credential(), baseUrl: 'wallet.example.com' }),
	).toMatchObject({
		status: 'Error',
		message: expect.stringContaining('is not a URL'),
	});
});

test.each([
	['an HTML page', 200, '<!doctype html><p>Welcome'],
	['a 404 of something else', 404, 'Not Found'],
	['a JSON 404 of something else', 404, '{"message":"no such route"}'],
	['JSON of something else', 200, '{"hello":"world"}'],
])('%s is not this service', async (_name, status, body) => {
	await using other = await startLocalServer((_request, response) =>
		response.writeHead(status).end(body),
	);
	const result = await tester.test({ ...service.credential(), baseUrl: other.url });
	expect(result).toMatchObject({
		status: 'Error',
		message: expect.stringContaining('This is not a wallet service'),
	});
});

test('a sub-path that is wrong is not this service', async () => {
	const baseUrl = `${service.ready.baseUrl}/elsewhere`;
	expect(await tester.test({ ...service.credential(), baseUrl })).toMatchObject({
		status: 'Error',
	});
});

describe('a pasted token that is a JWT', () => {
	/** A service that takes any token: whether the signature is right is not what is tested. */
	let lenient: LocalServer;

	beforeAll(async () => {
		lenient = await startLocalServer(({ headers }, response) =>
			response
				.writeHead(headers.authorization === undefined ? 401 : 404)
				.end('{"error":"no such user"}'),
		);
	});
	afterAll(async () => await lenient.stop());

	const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
	const endingIn = (seconds: number) => {
		const exp = Math.floor(Date.now() / 1000) + seconds;
		return `${part({ alg: 'none' })}.${part({ name: 'Zoë ÿ?>', exp })}.signature`;
	};

	test.each([
		[24 * 3600, 'OK', /Connection successful/],
		[12 * 60, 'Error', /works, but expires in 12 minutes, at 20.*OAuth2 API/],
		[-60, 'Error', /The access token expired at 20/],
	])('and ends in %d seconds', async (seconds, status, message) => {
		const result = await tester.test({
			baseUrl: lenient.url,
			accessToken: endingIn(seconds),
		});
		expect(result).toEqual({ status, message: expect.stringMatching(message) });
	});

	test('and ends by the wall clock, which was set forward meanwhile', async () => {
		const accessToken = endingIn(24 * 3600);
		const soon = Date.now() + (24 * 60 - 12) * 60_000;
		const clock = jest.spyOn(Date, 'now').mockReturnValue(soon);
		const { message } = await tester.test({ baseUrl: lenient.url, accessToken });
		clock.mockRestore();
		expect(message).toMatch(/works, but expires in 12 minutes/);
	});

	test('and is rejected: by its end when it has ended, in general words otherwise', async () => {
		const ask = async (accessToken: string) =>
			await tester.test({ baseUrl: service.ready.baseUrl, accessToken });
		expect((await ask(endingIn(-60))).message).toMatch(/The access token expired at 20/);
		expect((await ask(endingIn(7200))).message).toMatch(/was rejected: it is wrong or has expired/);
	});
});
