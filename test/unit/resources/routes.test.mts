/** The routes stand in the operations as the interface writes them, and every dynamic part is guarded. */
import { startSandbox } from '../../../sandbox/src/spawn.mts';
import { fillRoute, placeholdersOf } from '../../../nodes/WalletService/request/http/routes.ts';
import { readDocument, sectionOf } from '../../support/docs/documents.mts';
import { rowsOf, textOf } from '../../support/docs/markdown.mts';
import { listOperations } from '../../support/operations.mts';

test('they are the paths of the reference service', async () => {
	await using sandbox = await startSandbox();
	const response = await fetch(`${sandbox.ready.baseUrl}/openapi.json`);
	const { paths } = (await response.json()) as { paths: Record<string, Record<string, unknown>> };
	const documented = Object.entries(paths)
		.filter(([path]) => path.startsWith('/v1/'))
		.flatMap(([path, methods]) =>
			Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
		);
	const own = listOperations().map(
		({ method, url }) => `${method} ${url.replace(/:(\w+)/g, '{$1}')}`,
	);
	// Two operations submit a transaction.
	expect([...new Set(own)].sort()).toEqual(documented.sort());
});

test('docs/security.md lists every request, with the operation that makes it', async () => {
	const section = sectionOf(await readDocument('docs/security.md'), 'What is sent, and where');
	const rows = rowsOf(section, 'Request').map((row) => Object.values(row).map(textOf));
	const listed = rows.flatMap(([request, when = '']) =>
		when
			.split('; ')
			.filter((reason) => reason.includes(': '))
			.map((title) => `${request} ${title}`),
	);
	const own = listOperations().map(({ method, url, title }) => `${method} ${url} ${title}`);
	expect(listed.sort()).toEqual(own.sort());
});

test('each dynamic segment refuses what would lead elsewhere', () => {
	for (const { url } of listOperations()) {
		expect(url).toMatch(/^\/v1\//);
		for (const name of placeholdersOf(url)) {
			const values = Object.fromEntries(placeholdersOf(url).map((other) => [other, 'x']));
			for (const bad of ['', '.', '..', 'https://evil.example', 'file:///etc/passwd']) {
				expect(() => fillRoute(url, { ...values, [name]: bad })).toThrow(
					/cannot be part of a path/,
				);
			}
		}
	}
});

test('a segment cannot leave its place', () => {
	const path = fillRoute('/v1/users/:userId', { userId: 'CHESS-a/../b?c#d' });
	expect(path).toBe('/v1/users/CHESS-a%2F..%2Fb%3Fc%23d');
});
