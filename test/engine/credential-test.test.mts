/** The credential's test, in the context that n8n provides, including its report on spending limits. */
import type { ServerResponse } from 'node:http';
import type { INodeParameters, NodeParameterValueType } from 'n8n-workflow';

import { startLocalServer } from '../../tools/network/local-server.mts';
import { useCredentialTester } from './support/credential-tester.mts';
import { useService } from '../support/sandbox/service.mts';

const service = useService();
const tester = useCredentialTester();
afterEach(() => jest.restoreAllMocks());

const refused = (words: RegExp) => ({ status: 'Error', message: expect.stringMatching(words) });
const OK = { status: 'OK', message: expect.any(String) };

/** Tests a credential against a service that answers in this way; also returns the tokens of all requests. */
async function testAt(
	answer: (response: ServerResponse, isSignedIn: boolean) => void,
	data: INodeParameters = service().credential(),
) {
	const tokens: (string | undefined)[] = [];
	await using other = await startLocalServer(({ headers: { authorization } }, response) => {
		tokens.push(authorization);
		answer(response, authorization !== undefined);
	});
	return { result: await tester.test({ ...data, baseUrl: other.url }), tokens };
}

const NOBODY = /could not be reached: nothing is listening at its address/;
const REJECTED = /^The access token was rejected: it is wrong or has expired\. Enter a new one\./;
const LIMITS = {
	allowedContracts: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
	allowedFunctions: 'transfer(address to, uint256 amount), 0x095ea7b3',
	allowedRecipients: `DISCORD-80351110224678912, 0x${'ab'.repeat(20)}`,
	amountLimits: `250.5 0x${'ab'.repeat(20)}\n\n0 0x${'cd'.repeat(20)}`,
	maxValuePerCall: '0.1 ether',
	maxValuePerExecution: '0',
};

const TOO_SHORT = /^Connection: Timeout \(Seconds\): 0 is not a number from 1 to 3600\. Enter/;

test.each<[name: string, changes: INodeParameters, result: object]>([
	['a valid credential', {}, OK],
	['one without a user', { userId: '' }, OK],
	['valid spending limits', LIMITS, OK],
	['a setting out of bounds', { connection: { settings: { timeout: 0 } } }, refused(TOO_SHORT)],
	['an unknown user', { userId: 'X-404' }, refused(/has no user X-404/)],
	['an unreachable host', { baseUrl: 'http://127.0.0.1:9' }, refused(NOBODY)],
	['a wrong token', { accessToken: 'wrong' }, refused(REJECTED)],
	['a wrong token without a user', { accessToken: 'wrong', userId: '' }, refused(REJECTED)],
	['an invalid URL', { baseUrl: 'wallet.example.com' }, refused(/is not a URL/)],
])('%s', async (_name, changes, result) => {
	expect(await tester.test({ ...service().credential(), ...changes })).toEqual(result);
});

const UNUSABLE = ['', ' \n', 'of two\nlines', 'Bearer abcd'];

test.each(UNUSABLE)('%j as the token is not sent', async (accessToken) => {
	const words = /^The access token (?:is empty|contains white space.*)\. Open the credential/;
	const tested = testAt((response) => response.writeHead(401).end(), { accessToken });
	const { result, tokens } = await tested;
	expect([result, tokens.filter(Boolean)]).toEqual([refused(words), []]);
});

test.each([{ id: 'discord-1' }, {}])('the profile %j in place of DISCORD-1', async (profile) => {
	const body = JSON.stringify({ address: `0x${'1a'.repeat(20)}`, ...profile });
	const { result } = await testAt(
		(response, isSignedIn) => response.writeHead(isSignedIn ? 200 : 401).end(body),
		{ ...service().credential(), userId: 'DISCORD-1' },
	);
	expect(result).toEqual(refused(/returned the profile of a user other than DISCORD-1\.$/));
});

test.each([
	['an HTML page', 200, '<!doctype html><p>Welcome'],
	['a plain 404', 404, 'Not Found'],
	['a 404 with other JSON', 404, '{"message":"no such route"}'],
	['other JSON', 200, '{"hello":"world"}'],
])('%s is not this service', async (_name, status, body) => {
	const { result } = await testAt((response) => response.writeHead(status).end(body));
	expect(result).toEqual(refused(/This is not a wallet service/));
});

test.each([
	[403, '{}', /is valid, but not allowed to look up users/],
	[503, '{}', /The service failed \(HTTP 503\)\. Try again later/],
	[418, '{}', /not a wallet service.* returned HTTP 418\. Check the Base URL/],
	[404, 'Not Found', /not a wallet service.* returned HTTP 404 without JSON/],
])('HTTP %d with the body %s, only with a token, is explained', async (status, body, words) => {
	const { result } = await testAt((response, isSignedIn) =>
		response.writeHead(isSignedIn ? status : 401).end(body),
	);
	expect(result).toEqual(refused(words));
});

/** Factor by which time runs faster than in reality. */
const HASTE = 10;

test.each([1, 2])('answer %i arrives at one byte a second: the test ends in time', async (slow) => {
	const limits: number[] = [];
	const timeout = AbortSignal.timeout.bind(AbortSignal);
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
		limits.push(milliseconds);
		return timeout(milliseconds / HASTE);
	});
	const { result, tokens } = await testAt((response, isSignedIn) => {
		response.writeHead(401, { 'content-type': 'application/json' });
		if (slow === 2 && !isSignedIn) return void response.end();
		const drip = setInterval(() => response.write(' '), 1000 / HASTE);
		response.on('close', () => clearInterval(drip));
	});
	expect(result).toEqual(refused(/it did not answer in time/));
	expect(tokens).toHaveLength(slow);
	// A single time limit covers the whole test.
	expect(limits).toEqual([15_000]);
});

describe('a pasted token that is a JWT', () => {
	const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
	const endingIn = (seconds: number) => {
		const exp = Math.floor(Date.now() / 1000) + seconds;
		return `${part({ alg: 'none' })}.${part({ name: 'Zoë ÿ?>', exp })}.signature`;
	};

	/** Tests a token against a service that accepts any token: the signature is not under test. */
	const leniently = async (accessToken: string) =>
		await testAt(
			(response, isSignedIn) =>
				response.writeHead(isSignedIn ? 404 : 401).end('{"error":"no such user"}'),
			{ accessToken },
		);

	test.each([
		[24 * 3600, 'OK', /Connection successful/],
		[12 * 60, 'Error', /works but expires at 20.*OAuth2 API/],
		[-60, 'Error', /The access token expired at 20/],
	])('and expires in %d seconds', async (seconds, status, message) => {
		const { result } = await leniently(endingIn(seconds));
		expect(result).toEqual({ status, message: expect.stringMatching(message) });
	});

	test('and expires by the wall clock, which was set forward meanwhile', async () => {
		const accessToken = endingIn(24 * 3600);
		const soon = Date.now() + (24 * 60 - 12) * 60_000;
		jest.spyOn(Date, 'now').mockReturnValue(soon);
		const { result } = await leniently(accessToken);
		expect(result).toEqual(refused(/works but expires at 20/));
	});

	test.each([
		['with its expiry if it has expired', -60, /The access token expired at 20/],
		['in general words otherwise', 7200, /was rejected: it is wrong or has expired/],
	])('and is rejected: %s', async (_what, seconds, message) => {
		const { baseUrl } = service().ready;
		const result = await tester.test({ baseUrl, accessToken: endingIn(seconds) });
		expect(result).toEqual(refused(message));
	});
});

// Wrong entries in the form; test/unit/writes/policy tests readable and unreadable values.
test.each<[field: string, entry: NodeParameterValueType, says: RegExp]>([
	['allowWrites', 'yes', /"yes" is not true or false/],
	['allowedContracts', 'SUSD', /"SUSD" is not an address/],
	['allowedContracts', `0x${'ab'.repeat(20)}, all others`, /"all others" is not an address/],
	['allowedFunctions', 'send money', /"send money"/],
	['allowedRecipients', 'Nelly', /"Nelly" is neither a user ID nor a wallet address/],
	['allowedRecipients', 'discord-1', /Write DISCORD-1/],
	['allowedRecipients', `DISCORD-1, 0x${'ab'.repeat(19)}`, /38 hexadecimal digits/],
	['amountLimits', '250', /"250" is not an amount and the address of its token, such as 250 0x/],
	['amountLimits', `0x${'ab'.repeat(20)}`, /is not an amount and the address of its token/],
	['amountLimits', `250 SUSD 0x${'ab'.repeat(20)}`, /is not an amount and the address of its/],
	['amountLimits', `-1 0x${'ab'.repeat(20)}`, /"-1" is negative/],
	['amountLimits', `1 0x${'ab'.repeat(20)}\n2 0x${'AB'.repeat(20)}`, /one limit per token/],
	['amountLimits', '5 0x5FbDB2315678afecb367f032d93F642f64180aA3', /has a wrong checksum/],
	['maxValuePerCall', '10', /"10" is not an amount with a unit, such as 0\.1 ether/],
	['maxValuePerCall', '0.5', /"0\.5" has a decimal point but no unit/],
	['maxValuePerCall', '-1 ether', /"-1 ether" is not an amount of 0 or more/],
	['maxValuePerCall', '0 ', /"0 " ends with white space; its unit may be missing/],
	['maxValuePerExecution', '100', /"100" is not an amount with a unit/],
])('spending limits with %s: %j', async (name, entry, says) => {
	const { status, message } = await tester.test({ ...service().credential(), [name]: entry });
	expect(status).toBe('Error');
	expect(message.startsWith(`${tester.labelOf(name)}: `)).toBe(true);
	expect(message).toMatch(says);
	// The message ends with one full stop, after the remedy.
	expect(message).toMatch(/[^.]\.$/);
});

test('n8n uses the test that checks the policy', async () => {
	// n8n's CredentialsTester uses the first node with a test, in loading order.
	const { supportedNodes = [] } = tester.nodeTypes().credentialType('walletServiceApi');
	expect(supportedNodes).toEqual(['walletService', 'walletServiceTrigger']);
	const tests = supportedNodes.map((name) => {
		const node = tester.nodeTypes().getByNameAndVersion(`n8n-nodes-wallet-service.${name}`);
		const { credentials = [] } = node.description;
		const { testedBy } = credentials.find((one) => one.name === 'walletServiceApi') ?? {};
		return typeof testedBy === 'string' && node.methods?.credentialTest?.[testedBy];
	});
	expect(tests).toEqual([expect.any(Function), expect.any(Function)]);
	expect(tests[0]).toBe(tester.method());
});
