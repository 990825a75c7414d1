/** Token in each of its ways in the trigger. */
import type { INodeParameters } from 'n8n-workflow';

import { LoadedNodeTypes } from './support/node-types.mts';
import { Poller } from './support/poller.mts';
import type { ScriptedService } from './support/scripted-service.mts';
import {
	credentialFor,
	locator,
	PAGE,
	same,
	startTokenService,
	TOKEN,
} from './support/token-locator.mts';
import { useResources } from '../support/resources.mts';

let nodeTypes: LoadedNodeTypes;
let service: ScriptedService;

const resources = useResources();
beforeAll(async () => {
	[service, nodeTypes] = await Promise.all([
		resources.use(startTokenService()),
		LoadedNodeTypes.load(),
	]);
});
beforeEach(() => service.reset());

const credential = () => credentialFor(service);

const TRIGGERS: readonly [name: string, parameters: INodeParameters][] = [
	['a watched balance', { event: 'balanceChanged', asset: 'token' }],
	['a filter of the trigger', { event: 'newTransfer' }],
];

describe.each(TRIGGERS)('%s', (_name, event) => {
	const poll = async (token: unknown) => {
		const parameters = { ...event, token, userIds: 'X-1' } as INodeParameters;
		return await new Poller(nodeTypes, {
			parameters,
			credential: credential(),
			mode: 'manual',
		}).poll();
	};

	test.each([
		[locator('list', TOKEN)],
		[locator('address', TOKEN)],
		[locator('url', PAGE)],
		[locator('list', `={{ "${TOKEN}" }}`)],
		[TOKEN],
		[`={{ "${PAGE}" }}`],
	])('takes %j', async (token) => {
		const items = await poll(token);
		expect(items).toHaveLength(1);
		expect(same(items?.[0]?.tokenAddress)).toBe(true);
	});

	test.each<[unknown, RegExp]>([
		[locator('id', TOKEN), /Token: "id" is not a way to choose a token/],
		[locator('list', '={{ "" }}'), /Token: The expression gives nothing/],
		['={{ undefined }}', /Token: The expression gives nothing/],
		[locator('address', 'SUSD'), /Token: "SUSD" is not an address/],
		[locator('list', ' '), /Token: " " is not an address/],
	])('refuses %j', async (token, message) => {
		await expect(poll(token)).rejects.toThrow(message);
		expect(service.requests).toEqual([]);
	});
});

test('a trigger without a token in its filter takes every transfer, and without one to watch refuses', async () => {
	const poller = (event: INodeParameters, token: unknown) => {
		const parameters = { ...event, token, userIds: 'X-1' } as INodeParameters;
		return new Poller(nodeTypes, { parameters, credential: credential(), mode: 'manual' });
	};
	for (const token of [locator('list', ''), '', undefined]) {
		const items = await poller({ event: 'newTransfer' }, token).poll();
		expect(items?.[0]).not.toHaveProperty('sample');
		const watched = { event: 'balanceChanged', asset: 'token' };
		await expect(poller(watched, token).poll()).rejects.toThrow('Token: No token is given');
	}
});
