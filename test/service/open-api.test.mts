/** The service's documents: OpenAPI, and docs/sandbox.md. */
import { join } from 'node:path';
import { execa } from 'execa';

import { root } from '../../tools/files/paths.mts';
import { readDocument, readProjectFile, sectionOf } from '../support/docs/documents.mts';
import { codesIn, rowsOf } from '../support/docs/markdown.mts';
import { useService } from '../support/sandbox/service.mts';

const sandbox = useService({ SANDBOX_WRITE_KEYS: '1' });

/** Every route of the interface with its operation ID. */
const OPERATIONS = [
	['get', '/v1/users/{userId}', 'getUser'],
	['get', '/v1/users/{userId}/balance', 'getNativeBalance'],
	['get', '/v1/users/{userId}/balance/{tokenAddress}', 'getTokenBalance'],
	['get', '/v1/users/{userId}/history', 'getHistory'],
	['post', '/v1/contracts/method/read', 'readContract'],
	['post', '/v1/contracts/method/write', 'writeContract'],
	['put', '/v1/writes/{key}', 'putWrite'],
	['get', '/v1/writes/{key}', 'getWrite'],
	['delete', '/v1/writes/{key}', 'fenceWrite'],
	['get', '/v1/writes', 'listWrites'],
	['post', '/v1/attempts', 'beginAttempt'],
	['get', '/v1/transactions/{hash}', 'getTransaction'],
	['get', '/v1/service', 'getService'],
	['get', '/healthz', 'getHealth'],
] as const;

async function document() {
	const { status, data } = await sandbox().anonymous.get('/openapi.json');
	expect(status).toBe(200);
	return data;
}

test('the document is OpenAPI 3.1 and names exactly the routes of the service', async () => {
	const { openapi, info, paths, tags } = await document();
	expect(openapi).toMatch(/^3\.1\./);
	expect(info).toMatchObject({ title: expect.any(String), version: '1' });
	const routes = Object.entries<object>(paths).flatMap(([path, methods]) => {
		return Object.keys(methods).map((method) => `${method} ${path}`);
	});
	const operations = Object.values<object>(paths).flatMap((path) => Object.values(path));
	const used = new Set(operations.flatMap((operation) => operation.tags));
	expect([...used].sort()).toEqual(tags.map(({ name }: { name: string }) => name).sort());
	expect(routes.sort()).toEqual(OPERATIONS.map(([method, path]) => `${method} ${path}`).sort());
});

test.each(OPERATIONS.filter(([, path]) => /^\/v1\/(?!service)/.test(path)))(
	'%s %s asks for a token and documents its errors',
	async (method, path, id) => {
		const { paths, components, security } = await document();
		const operation = paths[path][method];
		expect(operation.operationId).toBe(id);
		const responses = expect.arrayContaining(['200', '400', '401', '500']);
		expect(Object.keys(operation.responses)).toEqual(responses);
		expect(operation.security ?? security).toEqual([{ accessToken: [] }]);
		const scheme = { type: 'http', scheme: 'bearer' };
		expect(components.securitySchemes.accessToken).toMatchObject(scheme);
		const error = operation.responses['400'].content['application/json'].schema;
		expect(error.required).toEqual(['status', 'error', 'code']);
		const parameters = [...path.matchAll(/{(\w+)}/g)].map(([, name]) => {
			return expect.objectContaining({ name, in: 'path', required: true });
		});
		const own: { in: string }[] = operation.parameters ?? [];
		expect(own.filter((one) => one.in === 'path')).toEqual(parameters);
	},
);

test('the bodies of contract calls are documented with their required fields', async () => {
	const { paths } = await document();
	const bodyOf = (path: string) => paths[path].post.requestBody.content['application/json'].schema;
	expect(bodyOf('/v1/contracts/method/read')).toMatchObject({
		required: ['address', 'abi'],
		properties: { address: {}, abi: {}, args: { type: 'array', items: { type: 'string' } } },
		additionalProperties: false,
	});
	const { properties } = bodyOf('/v1/contracts/method/write');
	expect(Object.keys(properties)).toEqual(['address', 'abi', 'args', 'value']);
});

test('an answer that does not fit its schema is refused before it is sent', async () => {
	const schemas = join(root, 'service', 'src', 'schemas');
	const program = `
		const { serializerCompiler } = await import(${JSON.stringify(join(schemas, 'compiler.mts'))});
		const { User } = await import(${JSON.stringify(join(schemas, 'user.mts'))});
		const serialize = serializerCompiler({ schema: User, method: 'GET', url: '/user' });
		try {
			console.log(serialize({ id: 'DISCORD-1', provider: 'discord' }));
		} catch (error) {
			console.log(error.message);
		}
	`;
	const { stdout } = await execa(process.execPath, ['--input-type=module', '--eval', program]);
	expect(stdout).toMatch(/^The answer of GET \/user does not fit its schema: .*\/provider/);
});

/** The names in one column of the table under a heading. */
async function named(heading: string, column: string): Promise<string[]> {
	const section = sectionOf(await readDocument('docs/sandbox.md'), heading);
	return rowsOf(section, column).flatMap(({ [column]: cell }) => codesIn(cell));
}

test('every setting is documented, and no other', async () => {
	const source = await readProjectFile('sandbox/src/settings.mts');
	const settings = source.match(/\b(?:PORT|RPC_URL|LOG_LEVEL|SANDBOX_[A-Z_]+)\b/g) ?? [];
	expect((await named('Settings', 'Variable')).sort()).toEqual([...new Set(settings)].sort());
});

test('every fault is documented, and no other', async () => {
	const source = await readProjectFile('sandbox/src/faults/fault.mts');
	const lists = [...source.matchAll(/_KINDS = \[([^\]]*)\]/g)].map(([, list = '']) => list);
	const kinds = lists.flatMap((list) => list.match(/[a-z][a-z-]*/g) ?? []);
	expect((await named('Faults', 'Kind')).sort()).toEqual(kinds.sort());
});
