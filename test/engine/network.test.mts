/** The network settings of a credential apply to everything that carries its token; a node has none. */
import type { RequestListener } from 'node:http';
import type { ICredentialDataDecryptedObject, IDataObject, INodeParameters } from 'n8n-workflow';

import { networkOf } from '../../nodes/WalletService/request/credential/service-fields.ts';
import { startLocalServer } from '../../tools/network/local-server.mts';
import type { Proxy } from '../../tools/network/proxy.mts';
import { startProxy } from '../../tools/network/proxy.mts';
import { startTlsServer } from '../../tools/network/tls-server.mts';
import { storeCall } from './support/contract-calls.mts';
import { useCredentialTester } from './support/credential-tester.mts';
import { useForm } from './support/form.mts';
import { useSignIn } from './support/oauth-account.mts';
import { useTrigger } from './support/trigger-service.mts';
import { useResources } from '../support/resources.mts';

type Data = ICredentialDataDecryptedObject;

const { node, account, run: runSignedIn } = useSignIn('Nelly');
const { poller } = useTrigger(() => node.service);
const tester = useCredentialTester();
const form = useForm();
const resources = useResources();
/** The host of the service, with its port. */
let host: string;
let proxy: Proxy;
beforeAll(async () => {
	({ host } = new URL(node.service.ready.baseUrl));
	proxy = await resources.use(startProxy({ [host]: Number(host.split(':')[1]) }));
});

const user = () => ({ resource: 'user', operation: 'get', userId: node.service.user().id });
const write = () =>
	storeCall(node.service.contracts.shapes, {
		abi: 'note(address)',
		args: JSON.stringify([node.service.user('Rahul Sen').id]),
	});
const run = async (parameters: IDataObject, credential: Data, way: 0 | 1 = 0) => {
	const { error } = await node.run(parameters, { credential }, (await node.ways())[way]);
	expect(error).toBeUndefined();
};

/** Everything that carries the token of a credential. */
const USES: Record<string, (credential: Data) => Promise<unknown>> = {
	'a read': async (credential) => await run(user(), credential),
	'a write': async (credential) => await run(write(), credential),
	'a tool that n8n routes': async (credential) => await run(write(), credential, 1),
	'a poll': async (credential) =>
		await poller({ event: 'newTransfer' }, { credential: { ...credential } }).poll(),
	'a list in the form': async (walletServiceApi) =>
		await form.search('getTokens', { parameters: {}, credentials: { walletServiceApi } }),
	'the test of the credential': async (credential) =>
		expect(await tester.test(credential as INodeParameters)).toMatchObject({ status: 'OK' }),
	'a read by OAuth2': async ({ proxy = '' }) => {
		Object.assign(account().credential, { proxy });
		expect((await runSignedIn(user())).error).toBeUndefined();
	},
};

test.each(Object.entries(USES))(
	'%s goes through the proxy of its credential',
	async (_use, use) => {
		const requests = async () => (await node.service.faults.requests()).length;
		const before = proxy.targets.length;
		await use(node.service.credential());
		expect(proxy.targets).toHaveLength(before);
		const direct = await requests();
		await use({ ...node.service.credential(), proxy: proxy.url });
		const used = proxy.targets.slice(before);
		expect(used).toHaveLength((await requests()) - direct);
		expect(used.length).toBeGreaterThan(0);
		for (const target of used) expect(target).toContain(host);
	},
);

test('a proxy gets its user and password as they are written', async () => {
	const given: unknown[] = [];
	const answer: RequestListener = ({ headers }, response) => {
		given.push(headers['proxy-authorization']);
		response.writeHead(400).end();
	};
	await using guarded = await startLocalServer(answer);
	const credential = { ...node.service.credential() };
	for (const signIn of ['me:p%40%25s', 'me']) {
		const own = { ...credential, proxy: guarded.url.replace('//', `//${signIn}@`) };
		await node.run(user(), { credential: own });
	}
	const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
	expect(given).toEqual([basic('me:p@%s'), basic('me:')]);
});

describe('a certificate that cannot be verified', () => {
	/** A service, and a token endpoint, with a self-signed certificate. */
	const answer: RequestListener = ({ url, headers }, response) => {
		const { id, address } = node.service.user();
		const isAllowed = url === '/token' || headers.authorization !== undefined;
		const tokens = { access_token: 'new', token_type: 'bearer', refresh_token: 'next' };
		response.writeHead(isAllowed && headers.authorization !== 'Bearer old' ? 200 : 401, {
			'content-type': 'application/json',
		});
		response.end(JSON.stringify(url === '/token' ? tokens : { id, address }));
	};
	const unverified = { details: { code: 'bad-certificate' } };

	test.each([false, true])(
		'is accepted if the credential says so (through a proxy: %s)',
		async (isProxied) => {
			await using server = await startTlsServer(answer);
			const { host: own, port } = new URL(server.url);
			await using between = await startProxy({ [own]: Number(port) });
			const credential = {
				...node.service.credential(),
				baseUrl: server.url,
				...(isProxied && { proxy: between.url }),
			};
			const { error } = await node.run(user(), { credential });
			expect(error).toMatchObject({ context: unverified });
			expect((await tester.test(credential)).message).toContain('is self-signed');
			await run(user(), { ...credential, ignoreSSLIssues: true });
			expect(await tester.test({ ...credential, ignoreSSLIssues: true })).toMatchObject({
				status: 'OK',
			});
			expect(between.targets.length > 0).toBe(isProxied);
		},
	);

	test('is accepted for a sign-in by OAuth2 and for its renewal, which ignores the proxy', async () => {
		await using server = await startTlsServer(answer);
		const { host: own, port } = new URL(server.url);
		await using between = await startProxy({ [own]: Number(port) });
		Object.assign(account().credential, {
			baseUrl: server.url,
			accessTokenUrl: `${server.url}/token`,
			proxy: between.url,
			oauthTokenData: { access_token: 'old', token_type: 'bearer', refresh_token: 'one' },
		});
		expect((await runSignedIn(user())).error).toMatchObject({ context: unverified });
		const before = between.targets.length;
		account().credential.ignoreSSLIssues = true;
		expect((await runSignedIn(user())).error).toBeUndefined();
		expect(account().token('access_token')).toBe('new');
		// The refused request and its repetition.
		expect(between.targets).toHaveLength(before + 2);
	});
});

describe('network settings of a node', () => {
	const REFUSED = 'Request Options: Proxy and Ignore SSL Issues belong to the credential';
	const SETTINGS = () => [
		{ proxy: proxy.url },
		{ proxy: 'http://me:secret@nowhere:1' },
		{ allowUnauthorizedCerts: true },
	];

	test.each([
		['a read', user],
		['a write', write],
	])('are refused for %s', async (_what, parameters) => {
		const before = proxy.targets.length;
		for (const requestOptions of SETTINGS()) {
			const refusal = await node.both({ ...parameters(), requestOptions });
			for (const { error } of refusal) {
				expect(error?.message).toContain(REFUSED);
				expect(error?.description).toContain('the owner of the credential can set them');
				expect(`${error?.message} ${error?.description}`).not.toContain('secret');
			}
		}
		expect(proxy.targets).toHaveLength(before);
		expect(await node.service.faults.requests()).toEqual([]);
	});

	test('that say nothing are no obstacle', async () => {
		for (const requestOptions of [{}, { proxy: '', allowUnauthorizedCerts: false, timeout: 9 }]) {
			await run({ ...user(), requestOptions }, node.service.credential());
		}
	});

	test('are not used by a poll, a list in the form, Custom API Call, or as one expression', async () => {
		const before = proxy.targets.length;
		const requestOptions = { proxy: proxy.url, allowUnauthorizedCerts: true };
		await poller({ event: 'newTransfer', requestOptions }).poll();
		const credentials = { walletServiceApi: node.service.credential() };
		await form.search('getTokens', { parameters: { requestOptions }, credentials });
		const custom = { ...user(), operation: '__CUSTOM_API_CALL__', requestOptions };
		expect((await node.run(custom)).error).toBeDefined();
		// n8n drops it.
		const whole = `={{ { proxy: "${proxy.url}" } }}`;
		await run({ ...user(), requestOptions: whole }, node.service.credential());
		expect((await runSignedIn(custom)).error).toBeDefined();
		expect(proxy.targets).toHaveLength(before);
	});
});

const PROXY = { protocol: 'http', host: 'proxy.example.com', port: 3128 };
const SECURE = { ...PROXY, protocol: 'https', port: 443 };
const auth = { username: 'me', password: 'p%40ss' };
const CHECKED = { skipSslCertificateValidation: false };

test.each<[given: IDataObject, network: object]>([
	[{}, CHECKED],
	[{ ignoreSSLIssues: true }, { skipSslCertificateValidation: true }],
	[{ ignoreSSLIssues: 'true', proxy: '' }, CHECKED],
	[{ proxy: ' https://proxy.example.com ' }, { ...CHECKED, proxy: SECURE }],
	[{ proxy: 'http://me:p%40ss@proxy.example.com:3128' }, { ...CHECKED, proxy: { ...PROXY, auth } }],
])('%j is read as %j', (given, network) => {
	expect(networkOf(given as Data)).toEqual(network);
});

test.each([
	'me:secret@nowhere',
	'proxy.example.com:3128',
	'socks5://me:secret@proxy.example.com',
	7,
])('the proxy %j is refused without repeating its password', async (given) => {
	const credential = { ...node.service.credential(), proxy: given };
	const { error } = await node.run(write(), { credential });
	expect(error?.message).toMatch(/^Proxy: The proxy is not a URL that starts with http/);
	expect(`${error?.message} ${error?.description}`).not.toContain('secret');
	expect(error).toMatchObject({ context: { details: { outcome: 'refused' } } });
});
