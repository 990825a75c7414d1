/** Bodies that would take the service long: what a call may hold, and that other requests are answered meanwhile. */
import { Interface } from 'ethers';
import {
	MOST_WORDS_OF_READ,
	MOST_WORDS_OF_WRITE,
	parseCall,
} from '../../service/src/input/contract-call.mts';
import { createServer } from '../../service/src/routes/server.mts';
import { ReadRequest } from '../../service/src/schemas/contract-call.mts';
import { serializerCompiler, validatorCompiler } from '../../service/src/schemas/compiler.mts';
import { MAX_BODY_BYTES } from '../../service/src/app.mts';
import { longestStretch } from '../support/turns.mts';

const ADDRESS = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const MOST_MS = 50;
const ROOM = MAX_BODY_BYTES - 1_000;

/** As many parts as fit into a body, as JSON. */
const filled = (part: string) => `[${Array(Math.floor(ROOM / (part.length + 1))).fill(part)}]`;
const listOf = (count: number, part: string) => `[${Array(count).fill(part)}]`;
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const many = (most: number) => `args must have at most ${most} words of 32 bytes when encoded`;

const app = createServer({ logger: false, bodyLimit: MAX_BODY_BYTES });
app.setValidatorCompiler(validatorCompiler);
app.setSerializerCompiler(serializerCompiler);
type Body = Parameters<typeof parseCall>[0];
app.post<{ Body: Body }>('/', { schema: { body: ReadRequest } }, async ({ body }) => {
	const { data } = await parseCall(body, MOST_WORDS_OF_READ);
	return { length: data.length };
});
afterAll(async () => await app.close());

const send = async (body: string) =>
	await app.inject({
		method: 'POST',
		url: '/',
		headers: { 'content-type': 'application/json' },
		body,
	});
const bodyOf = (abi: string, ...args: string[]) => JSON.stringify({ address: ADDRESS, abi, args });

const ADDRESSES = listOf(MOST_WORDS_OF_READ - 2, `"${ADDRESS}"`);
const deep = `f(uint256${'[]'.repeat(190)})`;

test.each([
	['a long list', 200, bodyOf('f(uint256[])', listOf(MOST_WORDS_OF_READ - 2, '1'))],
	['a list that is too long', 400, bodyOf('f(uint256[])', filled('1'))],
	['a list of another type', 400, bodyOf('f(uint256)', filled('1'))],
	['a list of texts', 400, bodyOf('f(string[])', listOf(80_000, '"a"'))],
	['a list of addresses with checksums', 200, bodyOf('f(address[])', ADDRESSES)],
	['empty lists', 400, bodyOf('f(uint256[][])', filled('[]'))],
	['bytes', 200, bodyOf('f(bytes)', `0x${'ab'.repeat(ROOM / 2 - 100)}`)],
	['text', 400, bodyOf('f(string)', 'a'.repeat(ROOM))],
	['digits', 400, bodyOf('f(uint256)', '1'.repeat(ROOM))],
	['digits in a list', 400, bodyOf('f(uint256[])', `[${'1'.repeat(ROOM)}]`)],
	['a deep list', 400, bodyOf('f(uint256[])', nested(ROOM / 2))],
	['a deep type', 400, bodyOf(deep, nested(ROOM / 2))],
	['a deeper type', 400, bodyOf(`f(uint256${'[]'.repeat(4_900)})`, '[]')],
	['many arguments', 400, `{"args":${filled('""')}}`],
	['many values of a wrong type', 400, `{"args":${filled('1')}}`],
	['many names', 400, `{${Array.from({ length: 40_000 }, (_, index) => `"a${index}":1`)}}`],
	['a deep body', 400, nested(ROOM / 2)],
])('%s holds up nobody', async (_what, status, body) => {
	expect(body.length).toBeLessThanOrEqual(MAX_BODY_BYTES);
	expect(
		await longestStretch(async () => expect((await send(body)).statusCode).toBe(status)),
	).toBeLessThan(MOST_MS);
});

test.each([
	['a write', MOST_WORDS_OF_WRITE],
	['a read', MOST_WORDS_OF_READ],
])('the arguments of %s take at most so many words', async (_what, most) => {
	const call = (abi: string, arg: string) =>
		parseCall({ address: ADDRESS, abi, args: [arg] }, most);
	const { data } = await call('f(uint256[])', listOf(most - 2, '1'));
	expect((data.length - 10) / 64).toBe(most);
	const functions = new Interface(['function f(uint256[])']);
	expect(data).toBe(functions.encodeFunctionData('f', [Array(most - 2).fill(1)]));
	for (const [abi, arg] of [
		['f(uint256[])', listOf(most - 1, '1')],
		['f(uint256[])', listOf(most + 1, '1')],
		['f(bytes)', `0x${'00'.repeat((most - 2) * 32 + 1)}`],
		['f(string[1][])', listOf(Math.ceil(most / 4), '["a"]')],
	] as const) {
		await expect(call(abi, arg)).rejects.toMatchObject({ field: 'args' });
		await expect(call(abi, arg).catch(String)).resolves.toContain(many(most).slice('args '.length));
	}
});

test.each([
	['uint8', '256', 'is not a uint8: it is out of its range'],
	['uint8', '-1', 'is not a uint8: it is out of its range'],
	['int8', '128', 'is not a int8: it is out of its range'],
	['int8', '-129', 'is not a int8: it is out of its range'],
	['bytes4', '0x112233', 'is not a bytes4: it has 3 bytes'],
	['bytes4', '0x1122334455', 'is not a bytes4: it has 5 bytes'],
	['string', '\ud800', 'must be a string of whole characters'],
])('%s: %j is refused', async (type, arg, message) => {
	const call = parseCall({ address: ADDRESS, abi: `f(${type})`, args: [arg] }, MOST_WORDS_OF_READ);
	await expect(call).rejects.toMatchObject({ field: 'args[0]', message });
});

test.each([
	['uint8', '255'],
	['int8', '127'],
	['int8', '-128'],
	['int256', String(-(2n ** 255n))],
	['uint256', String(2n ** 256n - 1n)],
])('%s: %s is encoded', async (type, arg) => {
	const request = { address: ADDRESS, abi: `f(${type})`, args: [arg] };
	const functions = new Interface([`function f(${type})`]);
	const { data } = await parseCall(request, MOST_WORDS_OF_READ);
	expect(data).toBe(functions.encodeFunctionData('f', [arg]));
});
