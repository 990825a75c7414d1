/** Token in each of its ways and at each of its places: items, n8n's own routing, tools and the trigger. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { Engine } from './support/engine.mts';
import { EphemeralCalls } from './support/ephemeral-calls.mts';
import { LoadedNodeTypes } from './support/node-types.mts';
import { Poller } from './support/poller.mts';
import type { ScriptedAnswer } from './support/scripted-service.mts';
import { ScriptedService } from './support/scripted-service.mts';

const TOKEN = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const OTHER = `0x${'b2'.repeat(20)}`;
const WALLET = `0x${'a1'.repeat(20)}`;
const PAGE = `https://etherscan.io/token/${TOKEN}?a=${OTHER}#balances`;

let ways: Engine[];
let calls: EphemeralCalls;
let nodeTypes: LoadedNodeTypes;
let service: ScriptedService;

beforeAll(async () => {
	[service, calls, nodeTypes, ...ways] = await Promise.all([
		ScriptedService.start(),
		EphemeralCalls.create(),
		LoadedNodeTypes.load(),
		Engine.create(),
		Engine.create(true),
	]);
	service.script = answer;
});
beforeEach(() => service.reset());
afterAll(async () => await service.stop());

const json = (value: unknown): ScriptedAnswer => ({ body: JSON.stringify(value) });

const transferOf = (tokenAddress: string, hash: string) => ({
	...{ type: 'TRANSFER', timestamp: '2026-11-21T13:28:22.000Z', hash, explorerUrl: 'x' },
	to: { username: 'x', platform: 'X', address: WALLET },
	amount: {
		...{ valueBn: { type: 'BigNumber', hex: '0x01' }, formatted: 1, decimals: 0 },
		...{ symbol: 'S', name: 'S', tokenAddress, network: 'X', chainId: 1 },
	},
});

function answer({ path, body }: { path: string; body: string }): ScriptedAnswer {
	const [, , , , what, address = ''] = path.split('/');
	if (path.endsWith('/read')) {
		const response = body.includes('decimals') ? 6 : 'SUSD';
		return json({ status: 'SUCCESS', response });
	}
	if (what === 'history') {
		return json([transferOf(TOKEN.toLowerCase(), '0x1'), transferOf(OTHER, '0x2')]);
	}
	const amount = { balance: '5000000', decimals: '6', symbol: 'SUSD', name: 'S', chainId: 1 };
	if (what === 'balance') {
		return json({ [address.toLowerCase()]: { ...amount, tokenAddress: address, network: 'x' } });
	}
	return json({ id: 'X-1', provider: 'X', username: 'x', address: WALLET, imageSrc: '' });
}

const credential = () => ({ baseUrl: service.baseUrl, accessToken: 'secret', userId: 'X-1' });

const locator = (mode: unknown, value: unknown): IDataObject =>
	({ __rl: true, mode, value, cachedResultName: 'SUSD - Sandbox Dollar' }) as IDataObject;

/** Where Token stands, and the tokens that an output is about. */
const PLACES: readonly [
	name: string,
	parametersOf: (token: unknown) => object,
	tokensIn: (items: readonly IDataObject[]) => unknown[],
][] = [
	[
		'Balance: Get Token',
		(token) => ({ resource: 'balance', operation: 'token', token }),
		(items) => items.map(({ tokenAddress }) => tokenAddress),
	],
	[
		'Token: Send',
		(token) => ({
			...{ resource: 'token', operation: 'send', token, recipient: OTHER },
			...{ amount: '1', preview: true },
		}),
		(items) => items.map(({ body }) => (body as IDataObject).address),
	],
	[
		'a filter of History',
		(token) => ({ resource: 'history', operation: 'list', returnAll: true, filters: { token } }),
		(items) => items.map(({ tokenAddress }) => tokenAddress),
	],
];

const TRIGGERS: readonly [name: string, parameters: INodeParameters][] = [
	['a watched balance', { event: 'balanceChanged', asset: 'token' }],
	['a filter of the trigger', { event: 'newTransfer' }],
];

const GIVEN: readonly [name: string, token: unknown, item: IDataObject][] = [
	['From List', locator('list', TOKEN), {}],
	['By Address', locator('address', ` ${TOKEN}\n`), {}],
	['By Explorer URL', locator('explorerUrl', PAGE), {}],
	['an address of an expression, By Address', locator('address', '={{ $json.t }}'), { t: TOKEN }],
	['an address of an expression, From List', locator('list', '={{ $json.t }}'), { t: TOKEN }],
	[
		'an address of an expression, By Explorer URL',
		locator('explorerUrl', '={{ $json.t }}'),
		{ t: TOKEN },
	],
	['a page of an expression, By Address', locator('address', '={{ $json.t }}'), { t: PAGE }],
	['plain text', TOKEN, {}],
	['the page as plain text', PAGE, {}],
	['an expression for all of it', '={{ $json.t }}', { t: TOKEN }],
	['an expression that gives a choice', '={{ $json.t }}', { t: locator('list', TOKEN) }],
];

const same = (found: unknown) => String(found).toLowerCase() === TOKEN.toLowerCase();

describe.each(PLACES)('%s', (_place, parametersOf, tokensIn) => {
	test.each(GIVEN)('takes %s', async (_name, token, item) => {
		for (const engine of ways) {
			const parameters = parametersOf(token) as INodeParameters;
			const result = await engine.run({ parameters, credential: credential(), items: [item] });
			expect(result.error).toBeUndefined();
			const tokens = tokensIn(result.items.map((one) => one.json));
			expect(tokens).toHaveLength(1);
			expect(tokens.every(same)).toBe(true);
		}
	});

	test('takes what a model fills in', async () => {
		const filled = "={{ $fromAI('token', 'Address of the token', 'string') }}";
		const parameters = parametersOf(locator('address', filled)) as INodeParameters;
		const type = 'n8n-nodes-wallet-service.walletServiceTool';
		const items = await calls.call(type, parameters, credential(), { token: TOKEN });
		const tokens = tokensIn(items.map((one) => one.json));
		expect(tokens).toHaveLength(1);
		expect(tokens.every(same)).toBe(true);
	});

	test.each<[token: unknown, message: RegExp]>([
		[locator('id', TOKEN), /Token: "id" is not a way to choose a token/],
		[locator(undefined, TOKEN), /Token: .* is not a way to choose a token/],
		[{ value: TOKEN }, /Token: .* is not a way to choose a token/],
		[locator('list', '={{ $json.missing }}'), /Token: The expression gives nothing/],
		[locator('explorerUrl', '={{ "" }}'), /Token: The expression gives nothing/],
		['={{ null }}', /Token: The expression gives nothing/],
		[locator('list', ' '), /Token: " " is not an address/],
		[locator('list', 5), /Token: 5 is not an address/],
		[locator('address', 'SUSD'), /Token: "SUSD" is not an address/],
		[locator('address', '0x12'), /Token: The address "0x12" has 2 hexadecimal digits/],
		[locator('list', TOKEN.replace('d8dA', 'D8dA')), /Token: .* wrong checksum/],
		[locator('explorerUrl', 'https://etherscan.io/token/usd'), /Token: .* not an explorer's page/],
		[
			locator('explorerUrl', `https://e.example/token/${TOKEN}/address/${OTHER}`),
			/names 2 addresses/,
		],
		['={{ ["0x12"] }}', /Token: \["0x12"\] is not an address/],
	])('refuses %j, and names the item', async (token, message) => {
		for (const engine of ways) {
			const parameters = parametersOf(token) as INodeParameters;
			const { error, items } = await engine.run({ parameters, credential: credential() });
			expect(error?.message).toMatch(message);
			expect(error).toMatchObject({
				context: { details: { itemIndex: 0, code: 'invalid-input', parameter: 'Token' } },
			});
			expect(items).toEqual([]);
		}
		expect(service.requests).toEqual([]);
	});
});

describe.each(PLACES.slice(0, 2))('%s', (_place, parametersOf) => {
	test.each([
		[locator('list', '')],
		[''],
		[locator('address', null)],
		[locator('list', undefined)],
	])('needs a token (%j), which n8n sees in a workflow, and the node in a tool', async (token) => {
		const parameters = parametersOf(token) as INodeParameters;
		for (const engine of ways) {
			await expect(engine.run({ parameters, credential: credential() })).rejects.toThrow(
				'Parameter "Token" is required',
			);
		}
		const type = 'n8n-nodes-wallet-service.walletServiceTool';
		await expect(calls.call(type, parameters, credential(), {})).rejects.toThrow(
			'Token: No token is given',
		);
		expect(service.requests).toEqual([]);
	});
});

test('a filter that was added and left empty takes every token', async () => {
	const [, , [, parametersOf = () => ({})] = []] = PLACES;
	for (const token of [locator('list', ''), locator('address', ''), '']) {
		for (const engine of ways) {
			const parameters = parametersOf(token) as INodeParameters;
			const { error, items } = await engine.run({ parameters, credential: credential() });
			expect(error).toBeUndefined();
			expect(items).toHaveLength(2);
		}
	}
});

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
		[locator('explorerUrl', PAGE)],
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
