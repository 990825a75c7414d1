/** The Token parameter in each of its modes and operations: items, n8n's own routing, tools and the trigger. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { hashOf, json } from './support/answers.mts';
import { storeCall } from './support/contract-calls.mts';
import { sendOf } from './support/kinds-of-writes.mts';
import { BOB, CONTRACT, TOKEN } from './support/scripted-world.mts';
import { useTrigger } from './support/trigger-service.mts';
import { useNode } from './support/use-node.mts';

const node = useNode();
const { poller } = useTrigger(() => node.service);

/** An address in the ignored parts of a URL. */
const OTHER = BOB.address;
/** The token's page in a block explorer. */
const PAGE = `https://etherscan.io/token/${TOKEN}?a=${OTHER}#balances`;

/** A chosen token, as the form stores it. */
const locator = (mode: unknown, value: unknown): object => ({
	__rl: true,
	mode,
	value,
	cachedResultName: 'SUSD - Sandbox Dollar',
});
const lower = (addresses: readonly unknown[]) => addresses.map((one) => String(one).toLowerCase());
const THE_TOKEN = [TOKEN.toLowerCase()];

// Every user has the token, and transfers of this and of another token.
beforeEach(() => {
	const { service } = node;
	const valueBn = { type: 'BigNumber', hex: '0x01' };
	const amount = { valueBn, decimals: 0, tokenAddress: CONTRACT, symbol: 'S' };
	service.looks = [[{ hash: hashOf(1) }, { hash: hashOf(2), said: { amount } }]];
	service.script = ({ path }) => {
		const [, tokenAddress = ''] = path.split('/balance/');
		if (tokenAddress === '') return undefined;
		const balance = { balance: '5000000', decimals: '6', symbol: 'SUSD', name: 'S', chainId: 1 };
		return json({ [tokenAddress.toLowerCase()]: { ...balance, tokenAddress, network: 'x' } });
	};
});

type ParametersOf = (token: unknown) => IDataObject;

const tokensOf = (items: readonly IDataObject[]) => items.map(({ tokenAddress }) => tokenAddress);
const read = () =>
	node.service.requests
		.filter(({ body }) => body.includes('decimals'))
		.slice(-1)
		.map(({ body }) => (JSON.parse(body) as IDataObject).address);

const filterOf: ParametersOf = (token) =>
	({ resource: 'history', operation: 'list', returnAll: true, filters: { token } }) as IDataObject;

const balanceOf: ParametersOf = (token) =>
	({ resource: 'balance', operation: 'token', token }) as IDataObject;
const tryToSend: ParametersOf = (token) =>
	sendOf({ token, amount: '1', preview: true } as IDataObject);

/** Operations that have the parameter, and the tokens that they used. */
const PLACES: readonly [string, ParametersOf, (items: readonly IDataObject[]) => unknown[]][] = [
	['Balance: Get Token', balanceOf, tokensOf],
	['Token: Send', tryToSend, read],
	['a filter of History', filterOf, tokensOf],
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

const REFUSED: readonly [token: unknown, message: RegExp][] = [
	[locator('id', TOKEN), /Token: "id" is not a way to choose a token/],
	[locator(undefined, TOKEN), /Token: .* is not a way to choose a token/],
	[{ value: TOKEN }, /Token: .* is not a way to choose a token/],
	[locator('list', '={{ undefined }}'), /Token: The expression returned nothing/],
	[locator('url', '={{ "" }}'), /Token: The expression returned nothing/],
	['={{ null }}', /Token: The expression returned nothing/],
	[locator('list', ' '), /Token: " " is not an address/],
	[locator('list', 5), /Token: 5 is not an address/],
	[locator('address', 'SUSD'), /Token: "SUSD" is not an address/],
	['SUSD', /Token: "SUSD" is not an address/],
	[' ', /Token: " " is not an address/],
	[locator('url', 'https://etherscan.io/token/usd'), /Token: .* not a block explorer page/],
	['={{ ["0x12"] }}', /Token: \["0x12"\] is not an address/],
];

describe.each(PLACES)('%s', (_place, parametersOf, tokensIn) => {
	test.each(GIVEN)('accepts %s', async (_name, token, item) => {
		for (const way of await node.ways()) {
			const { items, error } = await node.run(parametersOf(token), { items: [item] }, way);
			expect(error).toBeUndefined();
			expect(lower(tokensIn(items.map((one) => one.json)))).toEqual(THE_TOKEN);
		}
	});

	test('accepts what a model fills in', async () => {
		const filled = "={{ $fromAI('token', 'Address of the token', 'string') }}";
		const item = await node.tool(parametersOf(locator('address', filled)), { token: TOKEN });
		expect(lower(tokensIn([item]))).toEqual(THE_TOKEN);
	});

	test.each(REFUSED)('refuses %j, and names the item', async (token, message) => {
		for (const error of await node.refused(parametersOf(token), 'Token')) {
			expect(error.message).toMatch(message);
		}
	});
});

describe.each(PLACES.slice(0, 2))('%s', (_place, parametersOf) => {
	const EMPTY = [locator('list', ''), '', locator('address', null), locator('list', undefined)];

	// n8n itself refuses it in a workflow, and the node in a tool.
	test.each(EMPTY)('needs a token, not %j', async (token) => {
		for (const way of await node.ways()) {
			const running = node.run(parametersOf(token), {}, way);
			await expect(running).rejects.toThrow('Parameter "Token" is required');
		}
		const calling = node.tool(parametersOf(token));
		await expect(calling).rejects.toThrow('Token: No token is selected');
		expect(node.service.requests).toEqual([]);
	});
});

test.each([
	[{ __rl: true, mode: 'list', value: '' }],
	[{ __rl: true, mode: 'address', value: '' }],
	[''],
])('a filter that was added and left empty (%j) accepts every token', async (token) =>
	expect(await node.outputs(filterOf(token))).toHaveLength(2),
);

describe.each<[name: string, event: object]>([
	['a watched balance', { event: 'balanceChanged', asset: 'token' }],
	['a filter of the trigger', { event: 'newTransfer' }],
])('%s', (_name, event) => {
	const poll = async (token: unknown) => {
		const parameters = { ...event, token } as INodeParameters;
		return await poller(parameters, { mode: 'manual' }).poll();
	};

	test.each([
		...[locator('list', TOKEN), locator('url', PAGE), locator('list', `={{ "${TOKEN}" }}`)],
		...[TOKEN, `={{ "${PAGE}" }}`],
	])('accepts %j', async (token) => {
		expect(lower(tokensOf((await poll(token)) ?? []))).toEqual(THE_TOKEN);
	});

	test.each(REFUSED)('refuses %j', async (token, message) => {
		await expect(poll(token)).rejects.toThrow(message);
		expect(node.service.requests).toEqual([]);
	});

	test.each([[{ mode: 'list', value: '' }], [''], [undefined]])('left empty: %j', async (token) => {
		if ('asset' in event) await expect(poll(token)).rejects.toThrow('Token: No token is selected');
		else expect((await poll(token))?.[0]).not.toHaveProperty('sample');
	});
});

const call = (operation: string, contractAddress: string) =>
	storeCall(contractAddress, { operation, abi: 'f()', args: '[]' });

test('Contract Address accepts the page too', async () => {
	const [item] = await node.outputs({ ...call('write', PAGE), preview: true });
	expect(item?.body).toMatchObject({ address: TOKEN });
	expect(node.service.requests).toEqual([]);
});

test.each(['read', 'write'])('Contract Address of a %s refuses another page', async (operation) => {
	const page = `https://etherscan.io/tx/0x${'a'.repeat(64)}`;
	const refused = /Contract Address: .* is not a block explorer page of a contract/;
	for (const error of await node.refused(call(operation, page), 'Contract Address')) {
		expect(error.message).toMatch(refused);
	}
});
