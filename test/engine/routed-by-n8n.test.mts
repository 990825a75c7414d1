/**
 * n8n's own routing runs the declared routes where it does not know custom operations: as a tool of agents before version 3,
 * and of an MCP server. The outcome is the same, and writes keep their order.
 */
import type { IDataObject } from 'n8n-workflow';

import { listOperations } from '../support/operations.mts';
import { storeCall } from './support/contract-calls.mts';
import { useNode } from './support/use-node.mts';
import { useService } from '../support/sandbox/service.mts';

const node = useNode(useService());

const usd = () => ({ token: node.service.contracts.usd });
const call = (abi: string, more: IDataObject = {}) => ({
	...{ contractAddress: node.service.contracts.shapes, functionSource: 'signature', abi },
	...more,
});

const OPERATIONS: Readonly<Record<string, () => IDataObject>> = {
	'user: get': () => ({}),
	'balance: native': () => ({}),
	'balance: token': usd,
	'history: list': () => ({ returnAll: true }),
	'history: find': () => ({ transactionHash: `0x${'ab'.repeat(32)}` }),
	'token: send': () => {
		const recipient = node.service.user('Rahul Sen').id;
		return { ...usd(), recipient, amount: '0.5', preview: true };
	},
	'contract: read': () => call('negative() view returns (int256)'),
	'contract: write': () => call('negative()', { preview: true }),
};

test('no operation is left out', () => {
	const own = listOperations().map(
		({ resource, operation }) => `${resource.value}: ${operation.value}`,
	);
	expect(Object.keys(OPERATIONS).sort()).toEqual(own.sort());
});

test.each(Object.entries(OPERATIONS))('%s gives the same items', async (name, parameters) => {
	const [resource = '', operation = ''] = name.split(': ');
	const [own, routed] = (
		await node.both({ resource, operation, ...parameters() }, { items: [{}, {}] })
	).map(({ items, error }) => {
		expect(error).toBeUndefined();
		expect(items.length).toBeGreaterThanOrEqual(2);
		return items.map(({ json, pairedItem }) => [{ ...json, checkedAt: undefined }, pairedItem]);
	});
	expect(routed).toEqual(own);
});

test('writes go out in the order of their items', async () => {
	const { chain, contracts } = node.service;
	const items = Array.from({ length: 12 }, (_, number) => ({ number }));
	const store = storeCall(contracts.shapes, { args: '={{ [String($json.number)] }}' });
	let nonce = await chain.getTransactionCount(node.service.user().address);
	for (const { items: output, error } of await node.both(store, { items })) {
		expect(error).toBeUndefined();
		const hashes = output.map(({ json }) => String(json.hash));
		const sent = await Promise.all(hashes.map(async (hash) => await chain.getTransaction(hash)));
		expect(sent.map((one) => one?.nonce)).toEqual(items.map(() => nonce++));
	}
});

test('a failed write ends the run, and nothing after it is sent', async () => {
	const fault = { skip: 2, times: 1, params: { error: 'no funds' } };
	await node.service.faults.add({ kind: 'failed', ...fault });
	const [, routing] = await node.ways();
	const store = storeCall(node.service.contracts.shapes);
	const { error } = await node.run(store, { items: [{}, {}, {}, {}, {}] }, routing);
	expect(error?.message).toContain('no funds');
	expect(error?.description).toContain('Item 2');
	expect(error?.description).toMatch(/item 0: 0x[^]*item 1: 0x/);
	expect(await node.service.faults.requests()).toHaveLength(3);
});
