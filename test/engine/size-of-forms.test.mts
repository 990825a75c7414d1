/** How much a new node's form shows of each operation, so that no form grows unnoticed. */
import './support/environment.mts';

import type { INodeProperties } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { listOperations } from '../support/operations.mts';
import { useNodeTypes } from './support/node-types.mts';

const nodeTypes = useNodeTypes();

/** Resource and Operation choose the form; Options is what the second number counts. */
const NOT_COUNTED = ['authentication', 'resource', 'operation', 'options'];
const UNSEEN = ['hidden', 'notice'];

/** The fields of an operation's form, and the entries of its Options, as n8n's editor shows them. */
function shown(resource: string, operation: string) {
	const { description } = nodeTypes().getByNameAndVersion('n8n-nodes-wallet-service.walletService');
	const { properties } = description;
	const node = { typeVersion: 1 };
	const chosen = { resource, operation };
	const defaults = [true, false, node, description] as const;
	const values = NodeHelpers.getNodeParameters(properties, chosen, ...defaults) ?? {};
	const isShown = (one: INodeProperties) =>
		one.isNodeSetting !== true &&
		!UNSEEN.includes(one.type) &&
		NodeHelpers.displayParameter(values, one, node, description);
	const form = properties.filter(isShown);
	const { options = [] } = form.find(({ name }) => name === 'options') ?? {};
	const fields = form.filter(({ name }) => !NOT_COUNTED.includes(name));
	const entries = (options as INodeProperties[]).filter(isShown);
	return {
		size: { fields: fields.length, options: entries.length },
		names: fields.map(({ name }) => name),
	};
}

const SIZES: Readonly<Record<string, [fields: number, options: number]>> = {
	'User: Get': [2, 0],
	'Balance: Get Native': [3, 0],
	'Balance: Get Token': [4, 0],
	'History: Get Many': [6, 0],
	'History: Find Transfer': [4, 3],
	'Transaction: Get': [3, 0],
	'Token: Send': [6, 4],
	'Contract: Read': [5, 3],
	'Contract: Write': [7, 3],
};

test.each(Object.entries(SIZES))('%s has %j fields and options', (title, [fields, options]) => {
	const listed = listOperations().find((one) => one.title === title);
	const { resource, operation } = listed ?? {};
	const { size } = shown(String(resource?.value), String(operation?.value));
	expect(size).toEqual({ fields, options });
});

test.each([
	['fields', 0, 4.5],
	['options', 1, 2],
] as const)('a form has few %s on average', (_what, index, most) => {
	const sizes = Object.values(SIZES).map((size) => size[index]);
	expect(sizes.reduce((sum, size) => sum + size) / sizes.length).toBeLessThanOrEqual(most);
});

test('every operation is counted', () => {
	const titles = listOperations().map(({ title }) => title);
	expect(titles.sort()).toEqual(Object.keys(SIZES).sort());
});

test.each([
	['contract', 'write', ['contractAddress', 'orderId', 'preview', 'simplify']],
	['contract', 'read', ['contractAddress', 'simplify']],
	['token', 'send', ['token', 'recipient', 'amount', 'orderId', 'preview', 'simplify']],
])('what %s: %s calls stands above how it is sent', (resource, operation, expected) => {
	const { names } = shown(resource, operation);
	expect(names.filter((name) => expected.includes(name))).toEqual(expected);
});
