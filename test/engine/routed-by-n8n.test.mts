/**
 * n8n's own routing, for tools of agents before version 3 and of an MCP server, which do not support custom operations: it
 * runs the declared routes and returns the same items as those. For writes, see `laws-of-writes`.
 */
import type { IDataObject } from 'n8n-workflow';

import { listOperations } from '../support/operations.mts';
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

test.each(Object.entries(OPERATIONS))('%s returns the same items', async (name, parameters) => {
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
