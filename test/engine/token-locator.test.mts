/** Token in each of its ways and at each of its places: items, n8n's own routing and tools. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { Engine } from './support/engine.mts';
import { EphemeralCalls } from './support/ephemeral-calls.mts';
import type { ScriptedService } from './support/scripted-service.mts';
import {
	credentialFor,
	locator,
	OTHER,
	PAGE,
	same,
	startTokenService,
	TOKEN,
} from './support/token-locator.mts';
import { useResources } from '../support/resources.mts';

let ways: Engine[];
let calls: EphemeralCalls;
let service: ScriptedService;

const resources = useResources();
beforeAll(async () => {
	[service, calls, ...ways] = await Promise.all([
		resources.use(startTokenService()),
		EphemeralCalls.create(),
		Engine.create(),
		Engine.create(true),
	]);
});
beforeEach(() => service.reset());

const credential = () => credentialFor(service);

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
		() =>
			service.requests
				.filter(({ body }) => body.includes('decimals'))
				.slice(-1)
				.map(({ body }) => (JSON.parse(body) as IDataObject).address),
	],
	[
		'a filter of History',
		(token) => ({ resource: 'history', operation: 'list', returnAll: true, filters: { token } }),
		(items) => items.map(({ tokenAddress }) => tokenAddress),
	],
];

const GIVEN: readonly [name: string, token: unknown, item: IDataObject][] = [
	['List', locator('list', TOKEN), {}],
	['Address', locator('address', ` ${TOKEN}\n`), {}],
	['URL', locator('url', PAGE), {}],
	['an address of an expression, Address', locator('address', '={{ $json.t }}'), { t: TOKEN }],
	['an address of an expression, List', locator('list', '={{ $json.t }}'), { t: TOKEN }],
	['an address of an expression, URL', locator('url', '={{ $json.t }}'), { t: TOKEN }],
	['a page of an expression, Address', locator('address', '={{ $json.t }}'), { t: PAGE }],
	['plain text', TOKEN, {}],
	['the page as plain text', PAGE, {}],
	['an expression for all of it', '={{ $json.t }}', { t: TOKEN }],
	['an expression that gives a choice', '={{ $json.t }}', { t: locator('list', TOKEN) }],
];

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
		[locator('url', '={{ "" }}'), /Token: The expression gives nothing/],
		['={{ null }}', /Token: The expression gives nothing/],
		[locator('list', ' '), /Token: " " is not an address/],
		[locator('list', 5), /Token: 5 is not an address/],
		[locator('address', 'SUSD'), /Token: "SUSD" is not an address/],
		[locator('address', '0x12'), /Token: The address "0x12" has 2 hexadecimal digits/],
		[locator('list', TOKEN.replace('d8dA', 'D8dA')), /Token: .* wrong checksum/],
		[locator('url', 'https://etherscan.io/token/usd'), /Token: .* not an explorer's page/],
		[locator('url', `https://e.example/token/${TOKEN}/address/${OTHER}`), /names 2 addresses/],
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

const call = (operation: string) => ({
	...{ resource: 'contract', operation, functionSource: 'signature', abi: 'f()' },
	...{ argumentsMode: 'json', args: '[]' },
});

test('Contract Address takes the page as well', async () => {
	for (const engine of ways) {
		const parameters = { ...call('write'), preview: true, contractAddress: PAGE };
		const { items, error } = await engine.run({ parameters, credential: credential() });
		expect(error).toBeUndefined();
		expect(items[0]?.json.body).toMatchObject({ address: TOKEN });
	}
	expect(service.requests).toEqual([]);
});

test.each(['read', 'write'])('Contract Address of a %s refuses another page', async (operation) => {
	const contractAddress = `https://etherscan.io/tx/0x${'a'.repeat(64)}`;
	for (const engine of ways) {
		const { error } = await engine.run({
			parameters: { ...call(operation), contractAddress },
			credential: credential(),
		});
		expect(error?.message).toMatch(/Contract Address: .* is not an explorer's page of a contract/);
	}
	expect(service.requests).toEqual([]);
});
