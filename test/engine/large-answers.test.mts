/** Answers of a size, length or depth that nobody expects: read as they are, or refused with a message of ours. */
import type { INodeParameters } from 'n8n-workflow';

import type { LocalServer } from '../../tools/network/local-server.mts';
import { startLocalServer } from '../../tools/network/local-server.mts';
import { Engine } from './support/engine.mts';

const USER_ID = 'DISCORD-1';
const ENTRIES = 500_000;
const DEPTH = 200_000;

let engine: Engine;
let server: LocalServer;
let answer: string;

beforeAll(async () => {
	engine = await Engine.create();
	server = await startLocalServer((request, response) => {
		request.resume();
		response.setHeader('content-type', 'application/json');
		response.end(answer);
	});
});
afterAll(async () => await server.stop());

async function run(parameters: INodeParameters, body: string) {
	answer = body;
	return await engine.run({
		parameters,
		credential: { baseUrl: server.url, accessToken: 'token', userId: USER_ID },
	});
}

const read = (abi: string) => ({
	resource: 'contract',
	functionSource: 'signature',
	operation: 'read',
	contractAddress: `0x${'1'.repeat(40)}`,
	abi,
});
const response = (value: string) => `{"status":"SUCCESS","explorerUrl":"x","response":${value}}`;

test('half a million integers are all there, exactly', async () => {
	const list = `[${Array.from({ length: ENTRIES }, () => '12345678901234567890').join(',')}]`;
	const { items, error } = await run(read('f() view returns (uint256[])'), response(list));
	expect(error).toBeUndefined();
	expect(items).toHaveLength(1);
	const value = items[0]?.json.value;
	expect(value).toHaveLength(ENTRIES);
	expect(new Set(Array.isArray(value) ? value : [])).toEqual(new Set(['12345678901234567890']));
});

test('half a million transfers are all there', async () => {
	const list = `[${Array.from({ length: ENTRIES }, () => '{}').join(',')}]`;
	const parameters = { resource: 'history', operation: 'list', returnAll: true, simplify: false };
	const { items, error } = await run(parameters, list);
	expect(error).toBeUndefined();
	expect(items).toHaveLength(ENTRIES);
});

test('a text with millions of escapes arrives whole beside an exact integer', async () => {
	const list = `["${'\\n'.repeat(5_000_000)}",12345678901234567890]`;
	const { items, error } = await run(read('f() view returns (string, uint256)'), response(list));
	expect(error).toBeUndefined();
	expect(items[0]?.json.value).toEqual(['\n'.repeat(5_000_000), '12345678901234567890']);
});

test.each([
	['user', { resource: 'user', operation: 'get' }],
	['balance', { resource: 'balance', operation: 'native' }],
	['history', { resource: 'history', operation: 'list', returnAll: true }],
	['read', read('f() view returns (uint256)')],
])(
	'a %s answer of endless lists is refused as no answer of the service',
	async (_name, parameters) => {
		const deep = `${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`;
		const { items, error } = await run(parameters, deep);
		expect(error?.message).toMatch(/^The answer does not have the expected form: .*got \[\[\[.*…/);
		expect(items).toEqual([]);
	},
);
