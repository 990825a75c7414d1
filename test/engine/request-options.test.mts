/** n8n's own "Request Options": proxy and certificate settings apply to reads and writes alike. */
import type { IDataObject } from 'n8n-workflow';

import { readRequestSettings } from '../../nodes/WalletService/request/http/options.ts';
import type { Proxy } from '../../tools/network/proxy.mts';
import { startProxy } from '../../tools/network/proxy.mts';
import { storeCall } from './support/contract-calls.mts';
import { useNode } from './support/use-node.mts';
import { useResources } from '../support/resources.mts';
import { useService } from '../support/sandbox/service.mts';

const node = useNode(useService());
const resources = useResources();
let proxy: Proxy;
beforeAll(async () => {
	const { host, port } = new URL(node.service.ready.baseUrl);
	proxy = await resources.use(startProxy({ [host]: Number(port) }));
});

const run = async (parameters: IDataObject, requestOptions: IDataObject) =>
	await node.run({ ...parameters, requestOptions, options: { maxTries: 1 } });

const read = () => ({ resource: 'balance', operation: 'native' });
const write = () =>
	storeCall(node.service.contracts.shapes, {
		...{ abi: 'note(address)', args: JSON.stringify([node.service.user('Rahul Sen').id]) },
	});

test.each<[string, () => IDataObject, isUsed: boolean, requests: number]>([
	['a read goes through the proxy', read, true, 1],
	['a write that looks up a user goes through the proxy', write, true, 2],
	['without the option nothing does', write, false, 0],
])('%s', async (_name, parameters, isUsed, requests) => {
	const before = proxy.targets.length;
	const { error, items } = await run(parameters(), isUsed ? { proxy: proxy.url } : {});
	expect(error).toBeUndefined();
	expect(items).toHaveLength(1);
	const used = proxy.targets.slice(before);
	expect(used).toHaveLength(requests);
	const { host } = new URL(node.service.ready.baseUrl);
	for (const target of used) expect(target).toContain(host);
});

test('a proxy that is not a URL is refused without repeating its password', async () => {
	const { error } = await run(write(), { proxy: 'me:secret@nowhere' });
	expect(error?.message).toContain('Request Options: Proxy: ');
	expect(`${error?.message} ${error?.description}`).not.toContain('secret');
});

const PROXY = { protocol: 'http', host: 'proxy.example.com', port: 3128 };
const SECURE = { ...PROXY, protocol: 'https', port: 443 };

test.each<[given: IDataObject | undefined, network: object]>([
	[undefined, {}],
	[{}, {}],
	[{ allowUnauthorizedCerts: true }, { skipSslCertificateValidation: true }],
	[{ allowUnauthorizedCerts: false, proxy: '' }, {}],
	[{ proxy: 'https://proxy.example.com' }, { proxy: SECURE }],
	[
		{ proxy: 'http://me:p%40ss@proxy.example.com:3128' },
		{ proxy: { ...PROXY, auth: { username: 'me', password: 'p@ss' } } },
	],
])('%j is read as %j', (given, network) => {
	expect(readRequestSettings({}, given).network).toEqual(network);
});
