/** n8n's own "Request Options": the way out applies to reads and writes alike. */
import type { INodeParameters } from 'n8n-workflow';

import { readRequestSettings } from '../../nodes/WalletService/request/http/options.ts';
import type { Proxy } from '../../tools/network/proxy.mts';
import { startProxy } from '../../tools/network/proxy.mts';
import { Engine } from './support/engine.mts';
import { Service } from '../support/sandbox/service.mts';
import { useResources } from '../support/resources.mts';

let engine: Engine;
let service: Service;
let proxy: Proxy;

const resources = useResources();
beforeAll(async () => {
	[engine, service] = await Promise.all([Engine.create(), resources.use(Service.start())]);
	const { host, port } = new URL(service.ready.baseUrl);
	proxy = await resources.use(startProxy({ [host]: Number(port) }));
});

const run = async (parameters: INodeParameters, requestOptions: INodeParameters) =>
	await engine.run({
		parameters: { ...parameters, requestOptions, options: { maxTries: 1 } },
		credential: service.credential(),
	});

const write = () => ({
	resource: 'contract',
	functionSource: 'signature',
	operation: 'write',
	contractAddress: service.contracts.shapes,
	abi: 'note(address)',
	argumentsMode: 'json',
	args: JSON.stringify([service.user('Rahul Sen').id]),
});

test.each([
	['a read', () => ({ resource: 'balance', operation: 'native' }), 1],
	['a write that looks up a user', write, 2],
])('%s goes through the proxy', async (_name, parameters, requests) => {
	const before = proxy.targets.length;
	const { error, items } = await run(parameters(), { proxy: proxy.url });
	expect(error).toBeUndefined();
	expect(items).toHaveLength(1);
	const used = proxy.targets.slice(before);
	expect(used).toHaveLength(requests);
	for (const target of used) expect(target).toContain(new URL(service.ready.baseUrl).host);
});

test('without the option nothing does', async () => {
	const before = proxy.targets.length;
	expect((await run(write(), {})).error).toBeUndefined();
	expect(proxy.targets).toHaveLength(before);
});

test('a proxy that is no URL is refused, and its password not repeated', async () => {
	const { error } = await run(write(), { proxy: 'me:secret@nowhere' });
	expect(error?.message).toContain('Request Options: Proxy: The proxy is not a URL');
	expect(`${error?.message} ${error?.description}`).not.toContain('secret');
});

test.each([
	[undefined, {}],
	[{}, {}],
	[{ allowUnauthorizedCerts: true }, { skipSslCertificateValidation: true }],
	[{ allowUnauthorizedCerts: false, proxy: '' }, {}],
	[
		{ proxy: 'https://proxy.example.com' },
		{ proxy: { protocol: 'https', host: 'proxy.example.com', port: 443 } },
	],
	[
		{ proxy: 'http://me:p%40ss@proxy.example.com:3128' },
		{
			proxy: {
				protocol: 'http',
				host: 'proxy.example.com',
				port: 3128,
				auth: { username: 'me', password: 'p@ss' },
			},
		},
	],
])('%j is read as %j', (given, network) => {
	expect(readRequestSettings({}, given).network).toEqual(network);
});
