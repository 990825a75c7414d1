/** Every parameter is shown in the operations that list it, and in no other. */
import type { INodeProperties } from 'n8n-workflow';

import { assembleProperties } from '../../../nodes/WalletService/resources/description.ts';
import type {
	CompleteResource,
	Operation,
} from '../../../nodes/WalletService/resources/operation.ts';
import { complete } from '../../../nodes/WalletService/resources/operation.ts';

const parameter = (name: string): INodeProperties => ({
	displayName: name,
	name,
	type: 'string',
	default: '',
});
const shared = parameter('shared');

function resource(value: string, operations: Record<string, INodeProperties[]>): CompleteResource {
	return complete({
		option: { name: value, value },
		operations: Object.entries(operations).map(
			([name, input]): Operation => ({
				option: { name, value: name, action: name, description: name },
				route: { method: 'GET', url: '/v1/x' },
				input,
				fields: [],
				plan: async () => ({ url: '/v1/x', send: async () => [] }),
			}),
		),
	});
}

test('each operation shows its parameters in its own order', () => {
	const [first, late, last, other] = ['first', 'late', 'last', 'other'].map(parameter);
	if (!first || !late || !last || !other) throw new Error('Four parameters are needed');
	const properties = assembleProperties([
		resource('one', { get: [first, last], list: [first, late, last, other] }),
	]);
	const shown = properties.filter(({ type }) => type !== 'hidden');
	const names = shown.map(({ name }) => name);
	expect(names.slice(names.indexOf('first'))).toEqual([
		...['first', 'late', 'last', 'other', 'simplify', 'output', 'fields', 'fields', 'options'],
	]);
});

test('it is declared once, with the places that list it', () => {
	const properties = assembleProperties([
		resource('one', { get: [shared], list: [shared] }),
		resource('two', { get: [shared, parameter('own')], list: [shared] }),
	]);
	expect(properties.filter(({ name }) => name === 'shared')).toMatchObject([
		{ displayOptions: { show: { resource: ['one', 'two'], operation: ['get', 'list'] } } },
	]);
	expect(properties.find(({ name }) => name === 'own')).toMatchObject({
		displayOptions: { show: { resource: ['two'], operation: ['get'] } },
	});
});

test('one that n8n would show where no operation lists it is refused', () => {
	const resources = [
		resource('one', { get: [shared], list: [] }),
		resource('two', { list: [shared] }),
	];
	expect(() => assembleProperties(resources)).toThrow('shared would be shown in one: list as well');
});
