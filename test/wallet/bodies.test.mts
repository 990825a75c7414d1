/** What a request may contain: one meaning, in one encoding. */
import { partsOf } from '../../service/src/cli/limits.mts';
import { MOST_WORDS_OF_READ, parseCall } from '../../service/src/input/contract-call.mts';
import { createServer } from '../../service/src/routes/server.mts';
import { serializerCompiler, validatorCompiler } from '../../service/src/schemas/compiler.mts';
import { ReadRequest } from '../../service/src/schemas/contract-call.mts';
import { UserIdParams } from '../../service/src/schemas/text.mts';

const ADDRESS = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';

const app = createServer({ logger: false });
app.setValidatorCompiler(validatorCompiler);
app.setSerializerCompiler(serializerCompiler);
type Body = Parameters<typeof parseCall>[0];
app.post<{ Body: Body }>('/', { schema: { body: ReadRequest } }, async ({ body }) => {
	const { data } = await parseCall(body, MOST_WORDS_OF_READ);
	return { data };
});
app.get('/:userId', { schema: { params: UserIdParams } }, async () => ({}));
afterAll(async () => await app.close());

async function send(body: string | Buffer, type = 'application/json') {
	const headers = { 'content-type': type };
	const answer = await app.inject({ method: 'POST', url: '/', headers, body });
	return { statusCode: answer.statusCode, ...answer.json<{ error?: string }>() };
}

const pair = 'f((uint256 a,uint256 b)[])';
const call = (...args: string[]) => JSON.stringify({ address: ADDRESS, abi: pair, args });
const fine = call('[{"a":1,"b":2},{"b":"2","a":"1"}]');
const spoken = call('[]').replace('[])', '[] é)');

test.each([
	['a call', fine, undefined],
	[
		'text like a name',
		JSON.stringify({ address: ADDRESS, abi: 'f(string)', args: ['"a":1,{'] }),
		undefined,
	],
	['UTF-8 by name', fine, 'application/json; charset="UTF-8"'],
])('%s is read', async (_what, body, type) => {
	expect(await send(body, type)).toMatchObject({ statusCode: 200 });
});

test.each<
	[what: string, body: string | Buffer, type: string | undefined, statusCode: number, error: RegExp]
>([
	[
		'a name given twice',
		fine.replace('{', `{"address":"${ADDRESS}",`),
		undefined,
		400,
		/^body has a name twice$/,
	],
	[
		'a name given twice, once in escapes',
		fine.replace('{', '{"\\u0061bi":"g()",'),
		undefined,
		400,
		/^body has a name twice$/,
	],
	[
		'a name given twice in an argument',
		call('[{"a":1,"b":2,"a":3}]'),
		undefined,
		400,
		/^args\[0\] has a name twice$/,
	],
	[
		'a value for two components of one name',
		JSON.stringify({ address: ADDRESS, abi: 'f((uint256 a,uint256 a))', args: ['{"a":1}'] }),
		undefined,
		400,
		/^args\[0\] must be a JSON array/,
	],
	[
		'a value for a component without a name',
		JSON.stringify({ address: ADDRESS, abi: 'f((uint256))', args: ['{"":1}'] }),
		undefined,
		400,
		/^args\[0\] must be a JSON array/,
	],
	['a byte order mark', `\ufeff${fine}`, undefined, 400, /^body begins with a byte order mark$/],
	[
		'another encoding by name',
		fine,
		'application/json; charset=iso-8859-1',
		415,
		/^The body must be in UTF-8$/,
	],
	[
		'another encoding',
		Buffer.from(spoken, 'latin1'),
		undefined,
		415,
		/^The body must be in UTF-8$/,
	],
	[
		'UTF-16',
		Buffer.from(fine, 'utf16le'),
		'application/json; charset=utf-16',
		415,
		/^The body must be in UTF-8$/,
	],
	['no JSON', '{"address":', undefined, 400, /^body is not valid JSON$/],
	[
		'a name that changes all objects',
		fine.replace('{', '{"__proto__":{},'),
		undefined,
		400,
		/__proto__/,
	],
])('%s is refused', async (_what, body, type, statusCode, error) => {
	expect(await send(body, type)).toMatchObject({ statusCode, error: expect.stringMatching(error) });
});

test('an error repeats the beginning of a long name only', async () => {
	const { error = '' } = await send(fine.replace('{', `{"${'x'.repeat(400_000)}":1,`));
	expect(error).toMatch(/^x{200}…: /);
	expect(error.length).toBeLessThan(400);
});

test('a user ID with a character that PostgreSQL cannot store is refused', async () => {
	expect((await app.inject('/CHESS-anna%2Fk%20b%252F%40%C3%A9')).statusCode).toBe(200);
	const refused = await app.inject('/LOCAL-%00');
	expect([refused.statusCode, refused.json()]).toEqual([
		400,
		expect.objectContaining({ code: 'invalid_request', field: 'userId' }),
	]);
});

test.each([
	['f(uint256,(uint256,uint256))', ['f(uint256,(uint256,uint256))']],
	['f((bool,(bool,bool))[],bool),g()', ['f((bool,(bool,bool))[],bool)', 'g()']],
	['a,b', ['a', 'b']],
	['a,', ['a', '']],
	['', ['']],
])('the list %j has its parts between commas outside parentheses', (text, parts) => {
	expect(partsOf(text)).toEqual(parts);
});
