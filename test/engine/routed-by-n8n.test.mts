/**
 * n8n's own routing runs the declared routes where it knows no custom operations: as a tool of agents before version 3, and
 * of an MCP server. The outcome is the same, and writes keep their order.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { listOperations } from '../support/operations.mts';
import { useBothWays } from './support/both-ways.mts';

const { run, service, ways } = useBothWays();

async function outputs(
	parameters: INodeParameters,
	items: IDataObject[],
	onError?: 'continueRegularOutput',
) {
	const results = await run({ parameters, items, node: { onError } });
	return results.map(({ items: output, error }) => ({
		json: output.map(({ json }): IDataObject => ({ ...json, checkedAt: undefined })),
		pairs: output.map(({ pairedItem }) => pairedItem),
		error: error?.message,
	}));
}

const shapes = () => service().contracts.shapes;

const of = (abi: string) => ({ functionSource: 'signature', abi });

const OPERATIONS: readonly [resource: string, operation: string, parameters: object][] = [
	['user', 'get', {}],
	['balance', 'native', {}],
	['balance', 'token', { token: () => service().contracts.usd }],
	['history', 'list', { returnAll: true }],
	['history', 'find', { transactionHash: `0x${'ab'.repeat(32)}` }],
	[
		'token',
		'send',
		{
			token: () => service().contracts.usd,
			recipient: () => service().user('Rahul Sen').id,
			amount: '0.5',
			preview: true,
		},
	],
	['contract', 'read', { contractAddress: shapes, ...of('negative() view returns (int256)') }],
	['contract', 'write', { contractAddress: shapes, ...of('negative()'), preview: true }],
];

test('no operation is left out', () => {
	const own = listOperations().map(({ resource, operation }) => [resource.value, operation.value]);
	expect(OPERATIONS.map(([resource, operation]) => [resource, operation])).toEqual(
		expect.arrayContaining(own),
	);
});

test.each(OPERATIONS)('%s: %s gives the same items', async (resource, operation, parameters) => {
	const filled = Object.entries(parameters).map(([name, value]) => [
		name,
		typeof value === 'function' ? value() : value,
	]);
	const [own, routed] = await outputs({ resource, operation, ...Object.fromEntries(filled) }, [
		{},
		{},
	]);
	expect(own?.error).toBeUndefined();
	expect(own?.json.length).toBeGreaterThanOrEqual(2);
	expect(routed).toEqual(own);
});

const write = {
	resource: 'contract',
	functionSource: 'signature',
	operation: 'write',
	argumentsMode: 'json',
};

test('writes go out in the order of their items', async () => {
	const { address } = service().user();
	const items = Array.from({ length: 12 }, (_, number) => ({ number }));
	const parameters = {
		...write,
		contractAddress: shapes(),
		abi: 'store(uint256)',
		args: '={{ [String($json.number)] }}',
	};
	const nonce = await service().chain.getTransactionCount(address);
	for (const [index, { json, error }] of (await outputs(parameters, items)).entries()) {
		expect(error).toBeUndefined();
		const nonces = await Promise.all(
			json.map(async ({ hash }) => (await service().chain.getTransaction(String(hash)))?.nonce),
		);
		expect(nonces).toEqual(items.map(({ number }) => nonce + index * items.length + number));
	}
});

test('a failed write ends the run, and nothing after it is sent', async () => {
	await service().faults.add({ kind: 'failed', skip: 2, times: 1, params: { error: 'no funds' } });
	const [, routed] = ways();
	const result = await routed?.run({
		parameters: { ...write, contractAddress: shapes(), abi: 'store(uint256)', args: '["7"]' },
		credential: service().credential(),
		items: [{}, {}, {}, {}, {}],
	});
	expect(result?.error?.message).toContain('no funds');
	expect(result?.error?.description).toContain('Item 2');
	expect(result?.error?.description).toMatch(/item 0: 0x[^]*item 1: 0x/);
	expect(await service().faults.requests()).toHaveLength(3);
});
