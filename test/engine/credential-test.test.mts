/** The credential's test, in the context that n8n gives it. */
import './support/environment.mts';

import { CredentialTestContext } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	ICredentialTestFunction,
	INodeParameters,
	INodeProperties,
	NodeParameterValueType,
} from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import type { LocalServer } from '../../tools/network/local-server.mts';
import { startLocalServer } from '../../tools/network/local-server.mts';
import { additionalDataFor } from './support/engine.mts';
import { LoadedNodeTypes } from './support/node-types.mts';
import { Service } from '../support/sandbox/service.mts';
import { StoredCredentials } from './support/stored-credentials.mts';
import { useResources } from '../support/resources.mts';

let service: Service;
let nodeTypes: LoadedNodeTypes;

const resources = useResources();
beforeAll(async () => {
	[service, nodeTypes] = await Promise.all([
		resources.use(Service.start()),
		LoadedNodeTypes.load(),
	]);
});

/** The test of the action node. */
function testOfCredential(): ICredentialTestFunction {
	const node = nodeTypes.getByNameAndVersion('n8n-nodes-wallet-service.walletService');
	const method = node.methods?.credentialTest?.testWalletServiceApi;
	if (method === undefined) throw new Error('The credential has no test');
	return method;
}

/** A field as the form shows it. */
function fieldOf(name: string): INodeProperties {
	const { properties } = nodeTypes.credentialType('walletServiceApi');
	const field = properties.find((one) => one.name === name);
	if (field === undefined) throw new Error(`There is no field ${name}`);
	return field;
}

async function testCredential(data: INodeParameters) {
	const method = testOfCredential();
	const stored = new StoredCredentials({}, (name) => nodeTypes.credentialType(name));
	const context = new CredentialTestContext(additionalDataFor(stored));
	// As n8n fills in defaults before a test.
	const properties = stored.getCredentialsProperties('walletServiceApi');
	const filled = NodeHelpers.getNodeParameters(properties, data, true, false, null, null);
	return await method.call(context, {
		id: '1',
		name: 'Test',
		type: 'walletServiceApi',
		data: filled as ICredentialDataDecryptedObject,
	});
}

test('all good, with and without a user', async () => {
	expect(await testCredential(service.credential())).toMatchObject({ status: 'OK' });
	expect(await testCredential({ ...service.credential(), userId: '' })).toMatchObject({
		status: 'OK',
	});
});

test('a wrong token', async () => {
	for (const userId of ['', service.user().id]) {
		expect(await testCredential({ ...service.credential(), userId, accessToken: 'wrong' })).toEqual(
			{
				status: 'Error',
				message: 'The access token was rejected: it is wrong or has expired. Enter a new one.',
			},
		);
	}
});

test.each(['', ' \n', 'of two\nlines', 'Bearer abcd'])(
	'%j as the token is not sent',
	async (entry) => {
		await using other = await startLocalServer((_request, response) =>
			response.writeHead(401).end(),
		);
		const { status, message } = await testCredential({ baseUrl: other.url, accessToken: entry });
		expect(status).toBe('Error');
		expect(message).toMatch(
			/^The access token (?:is empty|contains white space.*)\. Open the credential/,
		);
	},
);

/** What a person enters by mistake: a field as the form stores it, the entry, and what the test says of it. */
const UNUSABLE: [field: string, entry: NodeParameterValueType, said: RegExp][] = [
	['allowWrites', 'yes', /"yes" is not true or false/],
	['allowedContracts', 'SUSD', /"SUSD" is not an address/],
	['allowedContracts', 'DISCORD-80351110224678912', /is not an address/],
	['allowedContracts', '0x5FbDB2315678afecb367f032d93F642f64180aa', /39 hexadecimal digits/],
	['allowedContracts', '0x5FbDB2315678afecb367f032d93F642f64180aA3', /has a wrong checksum/],
	['allowedContracts', `0x${'ab'.repeat(20)}, all others`, /"all others" is not an address/],
	['allowedFunctions', 'send money', /"send money"/],
	['allowedFunctions', 'transfer', /"transfer"/],
	['allowedFunctions', '0xa9059c', /"0xa9059c"/],
	['allowedFunctions', 'transfer(adress,uint256)', /"adress"/],
	['maxValuePerCall', '10', /"10" is not an amount with a unit, such as 0\.1 ether/],
	['maxValuePerCall', '0.5', /"0\.5" has a decimal point but no unit/],
	['maxValuePerCall', '10 SUSD', /"10 SUSD" is not an amount/],
	['maxValuePerCall', '-1 ether', /"-1 ether" is not an amount of 0 or more/],
	['maxValuePerCall', '0.1 gwei wei', /is not an amount/],
	['maxValuePerExecution', 'a little', /"a little" is not an amount/],
	['maxValuePerExecution', '100', /"100" is not an amount with a unit/],
	['maxValuePerExecution', '0.1234567891 gwei', /0\.1234567891 gwei/],
];

test.each(UNUSABLE)('a spending policy with %s: %j', async (name, entry, said) => {
	const { displayName } = fieldOf(name);
	const { status, message } = await testCredential({ ...service.credential(), [name]: entry });
	expect(status).toBe('Error');
	expect(message.startsWith(`${displayName}: `)).toBe(true);
	expect(message).toMatch(said);
	// The words end, and say what to do.
	expect(message).toMatch(/[^.]\.$/);
});

test('a spending policy that can be used', async () => {
	const policy = {
		allowedContracts: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
		allowedFunctions: 'transfer(address to, uint256 amount), 0x095ea7b3',
		maxValuePerCall: '0.1 ether',
		maxValuePerExecution: '0',
	};
	expect(await testCredential({ ...service.credential(), ...policy })).toMatchObject({
		status: 'OK',
	});
});

test('n8n takes the test of the node that checks the policy', async () => {
	// As its CredentialsTester does: the first node that names a test, in the order in which they are loaded.
	const { supportedNodes = [] } = nodeTypes.credentialType('walletServiceApi');
	expect(supportedNodes).toEqual(['walletService', 'walletServiceTrigger']);
	const tests = supportedNodes.map((name) => {
		const node = nodeTypes.getByNameAndVersion(`n8n-nodes-wallet-service.${name}`);
		const { testedBy } =
			node.description.credentials?.find((one) => one.name === 'walletServiceApi') ?? {};
		return typeof testedBy === 'string' && node.methods?.credentialTest?.[testedBy];
	});
	expect(tests).toEqual([expect.any(Function), expect.any(Function)]);
	expect(tests[0]).toBe(testOfCredential());
});

test('a user that the service does not know', async () => {
	expect(await testCredential({ ...service.credential(), userId: 'DISCORD-404' })).toMatchObject({
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
	expect(await testCredential(credential)).toEqual({
		status: 'Error',
		message: 'The service answers with the profile of another user than DISCORD-1.',
	});
});

test('a host that cannot be reached', async () => {
	expect(
		await testCredential({ ...service.credential(), baseUrl: 'http://127.0.0.1:9' }),
	).toMatchObject({
		status: 'Error',
		message: expect.stringContaining('could not be reached: nothing listens at its address'),
	});
});

test('a URL that is not acceptable', async () => {
	expect(
		await testCredential({ ...service.credential(), baseUrl: 'wallet.example.com' }),
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
	const result = await testCredential({ ...service.credential(), baseUrl: other.url });
	expect(result).toMatchObject({
		status: 'Error',
		message: expect.stringContaining('This is not a wallet service'),
	});
});

test('a sub-path that is wrong is not this service', async () => {
	const baseUrl = `${service.ready.baseUrl}/elsewhere`;
	expect(await testCredential({ ...service.credential(), baseUrl })).toMatchObject({
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
		const result = await testCredential({
			baseUrl: lenient.url,
			accessToken: endingIn(seconds),
		});
		expect(result).toEqual({ status, message: expect.stringMatching(message) });
	});

	test('and ends by the wall clock, which was set forward meanwhile', async () => {
		const accessToken = endingIn(24 * 3600);
		const soon = Date.now() + (24 * 60 - 12) * 60_000;
		const clock = jest.spyOn(Date, 'now').mockReturnValue(soon);
		const { message } = await testCredential({ baseUrl: lenient.url, accessToken });
		clock.mockRestore();
		expect(message).toMatch(/works, but expires in 12 minutes/);
	});

	test('and is rejected: by its end when it has ended, in general words otherwise', async () => {
		const ask = async (accessToken: string) =>
			await testCredential({ baseUrl: service.ready.baseUrl, accessToken });
		expect((await ask(endingIn(-60))).message).toMatch(/The access token expired at 20/);
		expect((await ask(endingIn(7200))).message).toMatch(/was rejected: it is wrong or has expired/);
	});
});
