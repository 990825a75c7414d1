/** The operations: the visibility of their parameters, their routes, and the hint for n8n’s workflow builder. */
import type { INodeProperties } from 'n8n-workflow';

import { assembleProperties } from '../../../nodes/WalletService/resources/description.ts';
import type { Resource, Operation } from '../../../nodes/WalletService/resources/operation.ts';
import { complete } from '../../../nodes/WalletService/resources/operation.ts';
import { startSandbox } from '../../../tools/sandbox/start.mts';
import { fillRoute, placeholdersOf } from '../../../nodes/WalletService/request/http/routes.ts';
import { readDocument, sectionOf } from '../../support/docs/documents.mts';
import { rowsOf, textOf } from '../../support/docs/markdown.mts';
import { listOperations } from '../../support/operations.mts';
import { WalletService } from '../../../nodes/WalletService/WalletService.node.ts';

const parameter = (name: string): INodeProperties => {
	return { displayName: name, name, type: 'string', default: '' };
};
const shared = parameter('shared');

function resource(value: string, operations: Record<string, INodeProperties[]>): Resource {
	const all = Object.entries(operations).map(([name, input]): Operation => {
		const option = { name, value: name, action: name, description: name };
		const plan = async () => ({ url: '/v1/x', send: async () => [] });
		return { option, route: { method: 'GET', url: '/v1/x' }, input, fields: [], plan };
	});
	return { option: { name: value, value }, operations: all };
}

test('each operation shows its parameters in its own order', () => {
	const all = ['first', 'late', 'last', 'other'].map(parameter);
	const some = all.filter(({ name }) => name === 'first' || name === 'last');
	const properties = assembleProperties(complete([resource('one', { get: some, list: all })]));
	const shown = properties.filter(({ type }) => type !== 'hidden');
	const names = shown.map(({ name }) => name).join(' ');
	expect(names).toMatch(/ first late last other simplify output fields fields options$/);
});

test('a parameter is declared once, for the operations that list it', () => {
	const one = resource('one', { get: [shared], list: [shared] });
	const two = resource('two', { get: [shared, parameter('own')], list: [shared] });
	const properties = assembleProperties(complete([one, two]));
	expect(properties.filter(({ name }) => name === 'shared')).toMatchObject([
		{ displayOptions: { show: { resource: ['one', 'two'], operation: ['get', 'list'] } } },
	]);
	expect(properties.find(({ name }) => name === 'own')).toMatchObject({
		displayOptions: { show: { resource: ['two'], operation: ['get'] } },
	});
});

test('all operations share the options, and show only their own; where none is offered, saved ones', () => {
	const own = { ...parameter('ownOption'), displayOptions: { show: { '/asset': ['token'] } } };
	const { option, operations } = resource('one', { get: [], list: [] });
	const [get, list] = operations.map((one, index) =>
		index === 0 ? { ...one, options: [own] } : one,
	);
	const completed = complete([{ option, operations: [get, list].flatMap((one) => one ?? []) }]);
	const [first, ...others] = completed.flatMap((one) =>
		one.operations.map(({ parameters }) => parameters.at(-1)),
	);
	const show = { '/options': [{ _cnd: { exists: true } }] };
	expect(others).toEqual([{ ...first, displayOptions: expect.objectContaining({ show }) }]);
	expect(first?.displayOptions).toBeUndefined();
	expect(first?.options).toContainEqual({
		...own,
		displayOptions: {
			show: { '/asset': ['token'], '/resource': ['one'], '/operation': ['get'] },
		},
	});
});

test('a parameter that n8n would also show elsewhere is refused', () => {
	const one = resource('one', { get: [shared], list: [] });
	const resources = complete([one, resource('two', { list: [shared] })]);
	expect(() => assembleProperties(resources)).toThrow('shared would be shown in one: list as well');
});

test('the routes are the paths of the reference service', async () => {
	await using sandbox = await startSandbox();
	const response = await fetch(`${sandbox.ready.baseUrl}/openapi.json`);
	const { paths } = (await response.json()) as { paths: Record<string, Record<string, unknown>> };
	const documented = Object.entries(paths)
		.flatMap(([path, methods]) => Object.keys(methods).map((method) => [method, path].join(' ')))
		.filter((route) => / \/v1\/(?!service$|attempts$|writes(?:\/|$))/.test(route));
	const inBraces = (url: string) => url.replace(/:(\w+)/g, '{$1}');
	const own = listOperations().map(({ method, url }) => `${method.toLowerCase()} ${inBraces(url)}`);
	// No operation has a route of its own for what a service offers, for a key of a write, or for the writes of an execution.
	expect([...new Set(own)].sort()).toEqual(documented.sort());
});

test('docs/security.md lists every request, with the operation that makes it', async () => {
	const section = sectionOf(await readDocument('docs/security.md'), 'What is sent, and where');
	const rows = rowsOf(section, 'Request').map((row) => Object.values(row).map(textOf));
	const listed = rows.flatMap(([request, when = '']) => {
		const titles = when.split('; ').filter((reason) => reason.includes(': '));
		return titles.map((title) => `${request} ${title}`);
	});
	const own = listOperations().map(({ method, url, title }) => `${method} ${url} ${title}`);
	expect(listed.sort()).toEqual(own.sort());
});

test('each dynamic segment refuses values that would lead elsewhere', () => {
	for (const { url } of listOperations()) {
		expect(url).toMatch(/^\/v1\//);
		for (const name of placeholdersOf(url)) {
			const values = Object.fromEntries(placeholdersOf(url).map((other) => [other, 'x']));
			for (const bad of ['', '.', '..', 'https://evil.example', 'file:///etc/passwd']) {
				const fill = () => fillRoute(url, { ...values, [name]: bad });
				expect(fill).toThrow(/cannot be part of a path/);
			}
		}
	}
});

test('a segment cannot leave its place', () => {
	const path = fillRoute('/v1/users/:userId', { userId: 'CHESS-a/../b?c#d' });
	expect(path).toBe('/v1/users/CHESS-a%2F..%2Fb%3Fc%23d');
});

const { builderHint, properties } = new WalletService().description;
const hint = builderHint?.searchHint ?? '';

test('the hint for the builder names parameters and operations that exist', () => {
	const named = ['preview', ...(hint.match(/\b[a-z]+[A-Z]\w*\b/g) ?? [])];
	expect(named).toEqual(['preview', 'compareWith', 'onlyWhere', 'userId']);
	expect(hint).toContain('keep preview on');
	const names = properties.map(({ name }) => name);
	expect(named.filter((name) => !names.includes(name))).toEqual([]);
	const titles = listOperations().map(({ title }) => title);
	const operations = titles.filter((title) => hint.includes(title));
	expect(operations.sort()).toEqual(['Contract: Write', 'History: Find Transfer', 'Token: Send']);
});
