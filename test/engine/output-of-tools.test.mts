/** The Output parameter, which replaces Simplify in a tool: the part of each answer that the model receives. */
import type { IDataObject } from 'n8n-workflow';

import { storeCall } from './support/contract-calls.mts';
import { sendOf } from './support/kinds-of-writes.mts';
import { useNode } from './support/use-node.mts';
import { useService } from '../support/sandbox/service.mts';

const node = useNode(useService());

const balance = (more: IDataObject = {}): IDataObject => ({
	resource: 'balance',
	operation: 'token',
	token: node.service.contracts.usd,
	...more,
});
const store = (more: IDataObject = {}): IDataObject =>
	storeCall(node.service.contracts.shapes, { args: '["7"]', ...more });

test.each<[output: IDataObject, simplify: boolean]>([
	[{}, true],
	[{ output: 'simplified' }, true],
	[{ output: 'raw' }, false],
])('%j is the same as in a workflow with Simplify %s', async (output, simplify) => {
	const { items } = await node.run(balance({ simplify }));
	expect(await node.tool(balance(output))).toEqual(items[0]?.json);
});

test.each([
	['as a list of the form', ['amount', 'symbol']],
	['as a list of an expression', '={{ ["symbol", "amount"] }}'],
	['as text', 'amount, symbol'],
])('Selected Fields %s', async (_name, fields) => {
	expect(await node.tool(balance({ output: 'fields', fields }))).toEqual({
		userId: node.service.user().id,
		symbol: 'SUSD',
		amount: expect.stringMatching(/^\d+(\.\d+)?$/),
	});
});

test('a comparison is made before fields are left out', async () => {
	const compared = { output: 'fields', fields: ['comparison'], compareWith: '1' };
	const userId = node.service.user().id;
	expect(await node.tool(balance(compared))).toEqual({ userId, comparison: 'above' });
});

test('a write always has its hash, its user, and "submitted"', async () => {
	expect(await node.tool(store({ output: 'fields', fields: ['summary'] }))).toEqual({
		summary: expect.stringContaining('Submitted: store(…)'),
		submitted: true,
		hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
		userId: node.service.user().id,
	});
});

test('a preview shows that nothing was sent, and the total, whichever fields are selected', async () => {
	const tried = { output: 'fields', fields: ['amount'], preview: true };
	const recipient = node.service.user('Rahul Sen').id;
	const token = node.service.contracts.usd;
	const item = await node.tool(sendOf({ token, recipient, amount: '0.5', ...tried }));
	expect(item).toEqual({ amount: '0.5', submitted: false, totalSoFar: '0.5' });
});

test('a warning that an answer does not match its types remains', async () => {
	const body = '{"status":"SUCCESS","explorerUrl":"http://127.0.0.1/","response":"odd"}';
	await node.service.faults.add({ kind: 'wrong-shape', params: { body } });
	const read = { operation: 'read', abi: 'negative() view returns (int256)', args: '[]' };
	const item = await node.tool(store({ ...read, output: 'fields', fields: ['status'] }));
	expect(item).toEqual({ status: 'SUCCESS', warning: expect.stringContaining('"odd"') });
});

test.each<[IDataObject, RegExp]>([
	[{ output: 'short' }, /Output: "short"/],
	[{ output: '={{ null }}' }, /Output: The expression returned nothing/],
	[{ output: 'fields', fields: ['hash', 'nonce'] }, /Fields: "nonce"/],
	[{ output: 'fields', fields: '={{ [5] }}' }, /Fields: 5 /],
	[{ output: 'fields', fields: [] }, /Fields: No field is chosen/],
	[{ output: 'fields', fields: ' , ' }, /Fields: No field is chosen/],
	[{ output: 'fields', fields: '={{ undefined }}' }, /Fields: The expression returned nothing/],
])('%j is refused before anything is sent', async (parameters, message) => {
	await expect(node.tool(store(parameters))).rejects.toThrow(message);
	expect(await node.service.faults.requests()).toEqual([]);
});

test('a node of a workflow has Simplify, whatever is stored for Output', async () => {
	const { items, error } = await node.run(balance({ output: 'raw' }));
	expect(error).toBeUndefined();
	expect(items[0]?.json).toHaveProperty('amount');
});
