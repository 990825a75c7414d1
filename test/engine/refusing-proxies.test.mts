/** A proxy between n8n and the service, of n8n or of the credential, that cannot be reached or refuses to connect. */
import type { IDataObject, NodeApiError } from 'n8n-workflow';

import { startProxy } from '../../tools/network/proxy.mts';
import { useResources } from '../support/resources.mts';
import { storeCall } from './support/contract-calls.mts';
import { useCredentialTester } from './support/credential-tester.mts';
import { CONTRACT } from './support/scripted-world.mts';
import { useNode } from './support/use-node.mts';

const node = useNode();
const tester = useCredentialTester();
const resources = useResources();
const HOST = 'wallet.example.com';
const options = { maxTries: 1 };
const READ = { resource: 'user', operation: 'get', options };
const WRITE = storeCall(CONTRACT, { options });

const shown = async (parameters: IDataObject, credential: ReturnType<typeof over>) =>
	(await node.run(parameters, { credential })).error as NodeApiError;

afterEach(() => jest.restoreAllMocks());
const use = (url: string): void => {
	const proxies = { HTTP_PROXY: url, HTTPS_PROXY: url, NO_PROXY: '' };
	jest.replaceProperty(process, 'env', { ...process.env, ...proxies });
};
const over = (protocol: string, changes: object = {}) =>
	node.service.credential({
		baseUrl: `${protocol}://${HOST}`,
		allowInsecureHttp: true,
		...changes,
	});

test.each([
	['http', 'http://127.0.0.1:9', '127.0.0.1:9'],
	['https', 'http://127.0.0.1:9', '127.0.0.1:9'],
	['https', 'http://proxy.nowhere.invalid:3128', 'proxy.nowhere.invalid'],
])('on which nothing listens, for %s, is named: %s', async (protocol, url, name) => {
	use(url);
	for (const parameters of [READ, WRITE]) {
		const { message, description, context } = await shown(parameters, over(protocol));
		expect(message).toContain(`The proxy ${name} could not be reached: `);
		expect(description).toContain(
			'of the credential or of n8n (HTTP_PROXY, HTTPS_PROXY, NO_PROXY)',
		);
		expect(context).toMatchObject({ details: { code: 'unreachable' } });
	}
	const { message } = await tester.test({ ...over(protocol) });
	expect(message).toContain(`The proxy ${name} could not be reached: `);
});

const refusals = [
	['403 Forbidden', 'squid, status 403'],
	['407 Proxy Authentication Required', 'squid, status 407'],
	['500 Internal Server Error', 'squid, status 500'],
	['502 Bad Gateway', 'squid, status 502'],
	['503 Service Unavailable', 'squid, status 503'],
	['504 Gateway Timeout', 'squid, status 504'],
];

test.each(refusals)('that refuses the tunnel with %s', async (status, sender) => {
	const headers = 'Server: squid/6.6\r\nContent-Length: 6\r\nConnection: close';
	const proxy = await resources.use(
		startProxy({}, `HTTP/1.1 ${status}\r\n${headers}\r\n\r\n<p>no.`),
	);
	use(proxy.url);
	for (const parameters of [READ, WRITE]) {
		const { message } = await shown(parameters, over('https'));
		expect(message).toBe(`Something before the service answered (${sender})`);
	}
	const { context } = await shown(WRITE, over('https'));
	expect(context).toMatchObject({ details: { outcome: 'refused' } });
	expect(proxy.targets).toEqual([]);
});

test.each([
	['without an answer', undefined],
	['by a truncated answer', 'HTTP/1.1 503 Unavailable\r\nContent-Length: 100\r\n\r\n<p>'],
])('that refuses the tunnel %s', async (_how, refusal) => {
	const proxy = await resources.use(startProxy({}, refusal ?? ''));
	use(proxy.url);
	const { message, context } = await shown(WRITE, over('https'));
	expect(message).toBe('The service could not be reached: a proxy refused to connect to it');
	expect(context).toMatchObject({ details: { outcome: 'refused', code: 'unreachable' } });
});

test('that refuses a tunnel may be asked again', async () => {
	const proxy = await resources.use(startProxy({}, 'HTTP/1.1 502 Bad Gateway\r\n\r\n'));
	use(proxy.url);
	const { message } = await shown({ ...WRITE, options: { maxTries: 2 } }, over('https'));
	expect(message).toContain('(tried 2 times)');
});

test('that answers a forwarded write with 502 leaves it unknown', async () => {
	node.service.script = () => ({ status: 502, headers: { server: 'squid/6.6' } });
	const port = Number(new URL(node.service.baseUrl).port);
	use((await resources.use(startProxy({ [HOST]: port }))).url);
	const { message, context } = await shown(WRITE, over('http'));
	expect(message).toContain('Something before the service answered (squid, status 502)');
	expect(context).toMatchObject({ details: { outcome: 'unknown' } });
	expect(node.service.writes).toHaveLength(1);
});

test('of the credential, on which nothing listens, is named', async () => {
	const credential = over('https', { proxy: 'http://127.0.0.1:9' });
	const { message } = await shown(WRITE, credential);
	expect(message).toContain('The proxy 127.0.0.1:9 could not be reached: ');
	expect((await tester.test({ ...credential })).message).toContain('The proxy 127.0.0.1:9 ');
});

test('a service that cannot be reached is not taken for a proxy', async () => {
	for (const baseUrl of ['http://127.0.0.1:9', 'https://wallet.invalid', 'http://localhost:9']) {
		const { message } = await shown(READ, over('', { baseUrl }));
		expect(message).toContain('The service could not be reached: ');
	}
});
