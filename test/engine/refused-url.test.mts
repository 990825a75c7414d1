/** A URL that is refused stands in no item, error, log line or static data: a password may be in it, or a token. */
import { inspect } from 'node:util';
import type { INode, INodeParameters } from 'n8n-workflow';

import { Engine } from './support/engine.mts';
import { LoadedNodeTypes } from './support/node-types.mts';
import { Poller } from './support/poller.mts';

const SECRET = 'hunter2';
const WELL_FORMED = `https://user:${SECRET}@wallet.example.com`;
const BROKEN = [
	`https://user:${SECRET}@wallet example`,
	`user:${SECRET}@wallet.example.com`,
	`http://${SECRET}:99/x@wallet.example.com`,
	`eyJ.${SECRET}.V1Qi`,
];
const ADDRESS = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045';
const OPERATIONS: readonly INodeParameters[] = [
	{ resource: 'user', operation: 'get' },
	{
		resource: 'contract',
		functionSource: 'signature',
		operation: 'read',
		contractAddress: ADDRESS,
		abi: 'f()',
	},
	{
		resource: 'contract',
		functionSource: 'signature',
		operation: 'write',
		contractAddress: ADDRESS,
		abi: 'f()',
	},
	{
		resource: 'contract',
		functionSource: 'signature',
		operation: 'write',
		contractAddress: ADDRESS,
		abi: 'f()',
		preview: true,
	},
];
const NODES: readonly Partial<INode>[] = [
	{},
	{ onError: 'continueRegularOutput' },
	{ onError: 'continueErrorOutput' },
];

let engine: Engine;
let nodeTypes: LoadedNodeTypes;

beforeAll(async () => {
	[engine, nodeTypes] = await Promise.all([Engine.create(), LoadedNodeTypes.load()]);
});
afterEach(() => jest.restoreAllMocks());

function expectHidden(value: unknown, field: string): void {
	const shown = inspect(value, { depth: Infinity, maxStringLength: Infinity });
	expect(shown).not.toContain(SECRET);
	expect(shown).toContain(field);
}

const oauthTokenData = { access_token: 'token', token_type: 'Bearer' };
const baseUrl = 'https://wallet.example.com';
const credential = { baseUrl, accessToken: 'token', userId: 'A-1', oauthTokenData };

test.each([WELL_FORMED, ...BROKEN])('%j as the base URL', async (given) => {
	for (const authentication of ['accessToken', 'oAuth2']) {
		for (const [index, parameters] of OPERATIONS.entries()) {
			const result = await engine.run({
				parameters: { options: { maxTries: 1 }, ...parameters, authentication },
				credential: { ...credential, baseUrl: given },
				node: NODES[index % NODES.length],
			});
			expectHidden(result, 'base URL');
		}
	}
});

test.each(BROKEN)('%j as the access token URL', async (accessTokenUrl) => {
	for (const node of NODES) {
		const result = await engine.run({
			parameters: { resource: 'user', operation: 'get', authentication: 'oAuth2' },
			credential: { ...credential, accessTokenUrl },
			node,
		});
		expectHidden(result, 'Access Token URL');
	}
});

test.each([WELL_FORMED, ...BROKEN])('%j as the base URL of a trigger', async (given) => {
	const trigger = new Poller(nodeTypes, {
		parameters: { event: 'newTransfer' },
		credential: { ...credential, baseUrl: given },
		activation: 'init',
	});
	const warn = jest.spyOn(trigger.logger, 'warn').mockImplementation();
	await trigger.poll();
	expectHidden(warn.mock.calls, 'base URL');
	expectHidden(await Promise.allSettled([trigger.poll()]), 'base URL');
	expect(trigger.staticData).toEqual({});
});
