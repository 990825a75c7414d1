/** Output, which a tool has in place of Simplify: what a model gets of each answer. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { Engine } from './support/engine.mts';
import { EphemeralCalls } from './support/ephemeral-calls.mts';
import { Service } from '../support/sandbox/service.mts';
import { useResources } from '../support/resources.mts';

let calls: EphemeralCalls;
let engine: Engine;
let service: Service;

const resources = useResources();
beforeAll(async () => {
	[calls, engine, service] = await Promise.all([
		EphemeralCalls.create(),
		Engine.create(),
		resources.use(Service.start()),
	]);
});
afterEach(async () => await service.faults.reset());

async function call(parameters: INodeParameters, given: IDataObject = {}): Promise<IDataObject[]> {
	const type = 'n8n-nodes-wallet-service.walletServiceTool';
	const items = await calls.call(type, parameters, service.credential(), given);
	return items.map(({ json }) => json);
}

const balance = (more: INodeParameters = {}): INodeParameters => ({
	...{ resource: 'balance', operation: 'token', token: service.contracts.usd },
	...more,
});

const store = (more: INodeParameters = {}): INodeParameters => ({
	...{
		resource: 'contract',
		functionSource: 'signature',
		operation: 'write',
		argumentsMode: 'json',
		args: '["7"]',
	},
	...{ contractAddress: service.contracts.shapes, abi: 'store(uint256)', ...more },
});

const sent = async () => await service.chain.getTransactionCount(service.user().address);

test('Simplified is the same as in a workflow, and what there is without a choice', async () => {
	const credential = service.credential();
	const { items } = await engine.run({ parameters: balance(), credential });
	const simplified = items.map(({ json }) => json);
	expect(await call(balance())).toEqual(simplified);
	expect(await call(balance({ output: 'simplified' }))).toEqual(simplified);
});

test('Raw is the same as without Simplify', async () => {
	const credential = service.credential();
	const { items } = await engine.run({ parameters: balance({ simplify: false }), credential });
	expect(await call(balance({ output: 'raw' }))).toEqual(items.map(({ json }) => json));
});

test.each([
	['as the form gives them', ['amount', 'symbol']],
	['as a list of an expression', '={{ ["symbol", "amount"] }}'],
	['as text', 'amount, symbol'],
])('Selected Fields %s', async (_name, fields) => {
	const [item] = await call(balance({ output: 'fields', fields }));
	expect(item).toEqual({
		userId: service.user().id,
		symbol: 'SUSD',
		amount: expect.stringMatching(/^\d+(\.\d+)?$/),
	});
});

test('a comparison is made before fields are left out', async () => {
	const compared = { output: 'fields', fields: ['comparison'], compareWith: '1' };
	expect(await call(balance(compared))).toEqual([
		{ userId: service.user().id, comparison: 'above' },
	]);
});

test('a write keeps its hash, its user, and that it was submitted', async () => {
	const [item] = await call(store({ output: 'fields', fields: ['summary'] }));
	expect(item).toEqual({
		summary: expect.stringContaining('Submitted: store(…)'),
		submitted: true,
		hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
		userId: service.user().id,
	});
});

test('a write that is only shown says so, and what all come to, whatever was chosen', async () => {
	const tried = { output: 'fields', fields: ['amount'], preview: true };
	const [item] = await call({
		...{ resource: 'token', operation: 'send', token: service.contracts.usd, ...tried },
		...{ recipient: service.user('Rahul Sen').id, amount: '0.5' },
	});
	expect(item).toEqual({ amount: '0.5', submitted: false, totalSoFar: '0.5' });
});

test('a warning stays: of an answer that does not fit', async () => {
	const body = '{"status":"SUCCESS","explorerUrl":"http://127.0.0.1/","response":"odd"}';
	await service.faults.add({ kind: 'wrong-shape', params: { body } });
	const parameters = store({
		...{ operation: 'read', abi: 'negative() view returns (int256)', args: '[]' },
		...{ output: 'fields', fields: ['status'] },
	});
	expect(await call(parameters)).toEqual([
		{ status: 'SUCCESS', warning: expect.stringContaining('does not fit') },
	]);
});

describe('what is no choice is refused before anything is sent', () => {
	test.each<[string, INodeParameters, RegExp]>([
		['another output', { output: 'short' }, /Output: "short" is none of the choices/],
		[
			'an unknown field',
			{ output: 'fields', fields: ['hash', 'nonce'] },
			/Fields: "nonce" is no field/,
		],
		['a field that is none', { output: 'fields', fields: '={{ [5] }}' }, /Fields: 5 is no field/],
		['no field', { output: 'fields', fields: [] }, /Fields: No field is chosen/],
		['an empty text', { output: 'fields', fields: ' , ' }, /Fields: No field is chosen/],
		[
			'nothing',
			{ output: 'fields', fields: '={{ undefined }}' },
			/Fields: The expression gives nothing/,
		],
		['no output', { output: '={{ null }}' }, /Output: The expression gives nothing/],
	])('%s', async (_name, parameters, message) => {
		const before = await sent();
		await expect(call(store(parameters))).rejects.toThrow(message);
		expect(await sent()).toBe(before);
	});
});

test('a node of a workflow has Simplify, whatever is stored for Output', async () => {
	const { items, error } = await engine.run({
		parameters: balance({ output: 'raw' }),
		credential: service.credential(),
	});
	expect(error).toBeUndefined();
	expect(items[0]?.json).toHaveProperty('amount');
});
