/** What the node makes of answers: raw ones, huge integers, nothing, and things that are not answers at all. */
import { Engine } from './support/engine.mts';
import type { FaultRequest } from '../../sandbox/src/faults/fault.mts';
import { Service } from '../support/sandbox/service.mts';
import { useResources } from '../support/resources.mts';

let engine: Engine;
let service: Service;

const resources = useResources();
beforeAll(async () => {
	[engine, service] = await Promise.all([Engine.create(), resources.use(Service.start())]);
});
afterEach(async () => await service.faults.reset());

const READ = {
	resource: 'contract',
	functionSource: 'signature',
	operation: 'read',
	abi: 'echo(uint256)(uint256)',
};

const readCall = (abi: string, args: unknown[]) => ({
	...READ,
	contractAddress: service.contracts.shapes,
	abi,
	argumentsMode: 'json',
	args: JSON.stringify(args),
});

const user = { resource: 'user', operation: 'get' };

async function run(parameters: Record<string, string | number | boolean>, items?: object[]) {
	return await engine.run({
		parameters,
		credential: service.credential(),
		items: items?.map((item) => ({ ...item })),
	});
}

test.each([
	['user', { resource: 'user', operation: 'get' }, ''],
	['balance', { resource: 'balance', operation: 'native' }, '/balance'],
	['history', { resource: 'history', operation: 'list', returnAll: true }, '/history'],
])('the %s answer arrives untouched when Simplify is off', async (_name, parameters, path) => {
	const { items } = await run({ ...parameters, simplify: false });
	const { id, accessToken } = service.user();
	const response = await fetch(`${service.ready.baseUrl}/v1/users/${id}${path}`, {
		headers: { Authorization: `Bearer ${accessToken}` },
	});
	const answer: unknown = await response.json();
	expect(items.map(({ json }) => json)).toEqual(Array.isArray(answer) ? answer : [answer]);
});

test('a token balance keeps the quirks of the service when Simplify is off', async () => {
	const token = service.contracts.usd;
	const { items } = await run({
		resource: 'balance',
		operation: 'token',
		token,
		simplify: false,
	});
	expect(items[0]?.json).toMatchObject({
		[token.toLowerCase()]: { decimals: '6', tokenAddress: token },
	});
});

test('BigNumbers become decimal strings however deep they stand', async () => {
	const { items } = await run(
		readCall('anything((int256,uint8[])) view returns ((int256,uint8[]))', [
			[
				'-57896044618658097711785492504343953926634992332820282019728792003956564819968',
				['1', '255'],
			],
		]),
	);
	expect(JSON.stringify(items[0]?.json.value)).toContain(
		'"-57896044618658097711785492504343953926634992332820282019728792003956564819968"',
	);
	expect(JSON.stringify(items[0]?.json)).not.toContain('BigNumber');
});

test.each([true, false])('integers beyond 2^53 arrive exact (Simplify %s)', async (simplify) => {
	await service.faults.add({
		kind: 'big-integer',
		params: {
			body: '{"status":"SUCCESS","explorerUrl":"","response":[9007199254740993,-12345678901234567890,7]}',
		},
	});
	const { items } = await run({ ...readCall('f() view returns (uint256)', []), simplify });
	const { json } = items[0] ?? { json: {} };
	expect(simplify ? json.value : json.response).toEqual([
		'9007199254740993',
		'-12345678901234567890',
		7,
	]);
});

test('an empty history gives no items and no error', async () => {
	await service.faults.add({ kind: 'wrong-shape', params: { body: '[]' } });
	const { items, error } = await run({ resource: 'history', operation: 'list' });
	expect(error).toBeUndefined();
	expect(items).toEqual([]);
});

test('one input with many outputs pairs each of them', async () => {
	const ids = [service.user('Nelly').id, service.user('Rahul Sen').id];
	const { items } = await run(
		{ resource: 'history', operation: 'list', userId: '={{ $json.id }}', returnAll: true },
		ids.map((id) => ({ id })),
	);
	expect(items.length).toBeGreaterThan(2);
	for (const { json, pairedItem } of items) {
		expect(pairedItem).toEqual({ item: ids.indexOf(String(json.userId)) });
	}
});

const NOT_ANSWERS: [string, FaultRequest, RegExp][] = [
	['an HTML page', { kind: 'html' }, /a web page instead of JSON/],
	['an empty body', { kind: 'empty' }, /an empty body instead of JSON/],
	['JSON null', { kind: 'null' }, /does not have the expected form/],
	['half a JSON text', { kind: 'truncated-json' }, /instead of JSON/],
	['broken JSON', { kind: 'broken-json' }, /instead of JSON/],
	['another shape', { kind: 'wrong-shape' }, /does not have the expected form/],
	[
		'a JSON text',
		{ kind: 'wrong-shape', params: { body: '"hello"' } },
		/does not have the expected form/,
	],
	[
		'a JSON number',
		{ kind: 'wrong-shape', params: { body: '5' } },
		/does not have the expected form/,
	],
	[
		'a list of lists',
		{ kind: 'wrong-shape', params: { body: '[[1]]' } },
		/does not have the expected form/,
	],
];

describe.each(NOT_ANSWERS)('%s', (name, fault, message) => {
	// A function of its own for each answer: a call whose outcome is unknown is not sent again.
	const abi = `f${name.replace(/\W/g, '')}()`;

	test.each([
		['User: Get', user, 'GET /v1/users/DISCORD-80351110224678912'],
		[
			'Balance: Get Native',
			{ resource: 'balance', operation: 'native' },
			'GET /v1/users/DISCORD-80351110224678912/balance',
		],
		[
			'History: Get Many',
			{ resource: 'history', operation: 'list' },
			'GET /v1/users/DISCORD-80351110224678912/history',
		],
		[
			'Contract: Read',
			{ ...READ, abi: 'f() view returns (uint256)' },
			'POST /v1/contracts/method/read',
		],
		['Contract: Write', { ...READ, operation: 'write', abi }, 'POST /v1/contracts/method/write'],
	])(
		'is a clear error of %s whose details name the endpoint',
		async (_operation, parameters, endpoint) => {
			await service.faults.add(fault);
			const { error } = await run({
				contractAddress: service.contracts.shapes,
				...parameters,
			});
			expect(error?.message).toMatch(message);
			expect(error).toMatchObject({ context: { details: { endpoint }, data: { endpoint } } });
			expect(error?.description).not.toMatch(/HTTP|\/v1\//);
		},
	);
});

test('FAILED with status 200 is an error with the text of the service', async () => {
	const said = 'Unable to transfer ERC20 - Amount exceeds your current balance of 0';
	await service.faults.add({ kind: 'failed', params: { error: said } });
	const { error } = await run(user);
	expect(error?.message).toContain(said);
});
