/** Answers in every form and of any length: raw output, huge integers, a `status` field, wrong types, invalid answers. */
import type { IDataObject } from 'n8n-workflow';

import type { ScriptedAnswer } from './support/answers.mts';
import { storeCall } from './support/contract-calls.mts';
import { NODE } from './support/engine.mts';
import { ALICE, CONTRACT, valueOf } from './support/scripted-world.mts';
import { useTrigger } from './support/trigger-service.mts';
import { useNode } from './support/use-node.mts';

const node = useNode();
const { poller } = useTrigger(() => node.service);

const USER = { resource: 'user', operation: 'get' };
const BALANCE = { resource: 'balance', operation: 'native' };
const HISTORY = { resource: 'history', operation: 'list', returnAll: true };
const read = (abi: string, args: unknown[] = []): IDataObject =>
	storeCall(CONTRACT, { operation: 'read', abi, args: JSON.stringify(args) });

/** Sets the body of all answers. */
const answerWith = (body: unknown): void => void (node.service.script = () => ({ body }));

const BIG = { type: 'BigNumber', hex: '0x01' };

test.each<[string, IDataObject, unknown]>([
	['user', USER, { ...ALICE, more: { of: [null, BIG] } }],
	['balance', BALANCE, { ETH: { balance: '5', decimals: '18', more: BIG } }],
	['history', HISTORY, [{ type: 'TRANSFER', amount: { valueBn: BIG } }, {}]],
])('the %s answer is output unchanged when Simplify is off', async (_name, parameters, body) => {
	answerWith(body);
	const { items } = await node.run({ ...parameters, simplify: false });
	expect(items.map((item) => item.json)).toEqual([body].flat());
});

const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

test.each<[name: string, parameters: IDataObject, answer: (deep: string) => string]>([
	[
		'a read',
		read('f() view returns (uint256)'),
		(deep) => `{"status":"SUCCESS","response":${deep}}`,
	],
	['a user', USER, (deep) => `{"id":"DISCORD-1","more":${deep}}`],
	['a history', HISTORY, (deep) => `[{"more":${deep}}]`],
])('an answer that n8n could not show is refused: %s', async (_name, parameters, answer) => {
	const raw = { ...parameters, simplify: false };
	answerWith(answer(nested(90)));
	expect(await node.items(raw)).toHaveLength(1);
	for (const levels of [101, 10_000, 900_000]) {
		answerWith(answer(nested(levels)));
		const { items, error } = await node.run(raw);
		expect(items).toEqual([]);
		expect(error?.message).toBe('The answer is nested too deeply');
		expect(error).toMatchObject({ context: { details: { code: 'unreadable-answer' } } });
	}
});

test('integers beyond 2^53 are exact when Simplify is off', async () => {
	answerWith('{"status":"SUCCESS","response":[9007199254740993,-12345678901234567890,7]}');
	const [item] = await node.items({ ...read('f() view returns (uint256)'), simplify: false });
	expect(item?.response).toEqual(['9007199254740993', '-12345678901234567890', 7]);
});

const ENTRIES = 500_000;
const INTEGER = '12345678901234567890';
const listOf = (entry: string) => `[${Array.from({ length: ENTRIES }, () => entry).join()}]`;

test('half a million integers are output exactly', async () => {
	answerWith(`{"status":"SUCCESS","explorerUrl":"x","response":${listOf(INTEGER)}}`);
	const [{ value } = {}, ...others] = await node.items(read('f() view returns (uint256[])'));
	expect(others).toEqual([]);
	expect(value).toHaveLength(ENTRIES);
	expect(new Set(Array.isArray(value) ? value : [])).toEqual(new Set([INTEGER]));
});

test('half a million transfers are output', async () => {
	answerWith(listOf('{}'));
	expect(await node.items({ ...HISTORY, simplify: false })).toHaveLength(ENTRIES);
});

test('an empty history causes neither items nor an error', async () => {
	answerWith([]);
	expect(await node.items(HISTORY)).toEqual([]);
});

const PAGE = { headers: { 'content-type': 'text/html' }, body: '<!doctype html><h1>Hello</h1>' };
const NOT_JSON = /instead of JSON/;
const ODD_FORM = /does not have the expected form/;
const DEEP = '['.repeat(200_000) + ']'.repeat(200_000);

describe.each<[string, ScriptedAnswer, RegExp]>([
	['an HTML page', PAGE, /a web page instead of JSON/],
	['an empty body', {}, /an empty body instead of JSON/],
	['JSON null', { body: 'null' }, ODD_FORM],
	['half a JSON text', { body: '{"status":"SUCCESS","id":"DISC' }, NOT_JSON],
	['broken JSON', { body: '{"status":"SUCCESS","response":}' }, NOT_JSON],
	['another shape', { body: { unexpected: ['shape'] } }, ODD_FORM],
	['a JSON string', { body: '"hello"' }, ODD_FORM],
	['a JSON number', { body: '5' }, ODD_FORM],
	['a list of lists', { body: [[1]] }, ODD_FORM],
	['deeply nested lists', { body: DEEP }, /The answer is nested too deeply/],
])('%s', (_name, answer, message) => {
	test.each([
		['User: Get', USER, 'GET /v1/users/DISCORD-1'],
		['Balance: Get Native', BALANCE, 'GET /v1/users/DISCORD-1/balance'],
		['History: Get Many', HISTORY, 'GET /v1/users/DISCORD-1/history'],
		['Contract: Read', read('f() view returns (uint256)'), 'POST /v1/contracts/method/read'],
		['Contract: Write', storeCall(CONTRACT), 'POST /v1/contracts/method/write'],
	])('is an error of %s whose details name the endpoint', async (_what, parameters, endpoint) => {
		node.service.script = () => answer;
		const { items, error } = await node.run(parameters);
		expect(items).toEqual([]);
		expect(error?.message).toMatch(message);
		expect(error).toMatchObject({ context: { details: { endpoint }, data: { endpoint } } });
		expect(error?.description).not.toMatch(/HTTP|\/v1\//);
	});
});

describe('a status', () => {
	const ALONE = ['active', 'SUCCESSFUL', 'FAILED', '', 0, null, false, { is: 'FAILED' }];
	const WITH_ERROR = ['active', ['FAILED'], 'NOT FAILED'];

	test.each([
		...ALONE.map((status) => ({ status })),
		...WITH_ERROR.map((status) => ({ status, error: 'none so far' })),
	])('%j belongs to the user', async (fields) => {
		answerWith({ ...ALICE, ...fields });
		expect(await node.items(USER)).toMatchObject([{ address: ALICE.address }]);
		expect(await node.items({ ...USER, simplify: false })).toEqual([{ ...ALICE, ...fields }]);
	});

	test('of a user prevents neither a user ID in a call nor a poll', async () => {
		const { id, address } = ALICE;
		node.service.profiles[id] = { ...ALICE, status: 'active' };
		node.service.values = { [address]: [address] };
		const echo = read('echo(address) view returns (address)', [id]);
		expect(await node.items(echo)).toMatchObject([{ value: address }]);
		const trigger = poller({ event: 'newTransfer', userIds: id });
		await trigger.poll();
		expect(JSON.stringify(trigger.staticData)).toContain(address);
	});

	test('can be the symbol of a coin', async () => {
		const coin = { balance: '5', formatted: '5', decimals: 0, symbol: 'status', name: 'Ether' };
		answerWith({ status: { ...coin, tokenAddress: null, network: 'sandbox', chainId: 1 } });
		expect(await node.items(BALANCE)).toMatchObject([{ symbol: 'status', baseUnits: '5' }]);
	});

	test('is shown without the NULs that fill up 32 bytes', async () => {
		const [symbol, name] = ['MKR\0\0', `0x4d616b6572${'00'.repeat(27)}`];
		const entry = { balance: '5', decimals: '0', symbol, name, tokenAddress: null };
		answerWith({ coin: { ...entry, network: 'sandbox', chainId: 1 } });
		expect(await node.items(BALANCE)).toMatchObject([{ symbol: 'MKR', name: 'Maker' }]);
	});

	test.each(['FAILED', 'failed', 'Failed'])('%s with an error is a failure', async (status) => {
		answerWith({ status, error: 'No such thing' });
		for (const parameters of [USER, BALANCE, { ...USER, simplify: false }]) {
			expect((await node.run(parameters)).error?.message).toContain('No such thing');
		}
	});

	const OF_READS = ['active', 'PENDING', 'FAILED', 'failed', 0, null];

	test.each(OF_READS)('%j of a read is a failure without an error, too', async (status) => {
		answerWith({ status, response: '1' });
		const { error, items } = await node.run(read('f()'));
		expect(error?.message).toContain(`status ${JSON.stringify(status)}`);
		expect(items).toEqual([]);
	});
});

test.each(['odd', '-5'])('return types are compared with the answer %j', async (response) => {
	node.service.script = () => valueOf(response);
	const negative = read('negative() view returns (int256)');
	const { items, run: whole } = await node.run(negative, { items: [{}, {}, {}] });
	const { hints } = whole.data.resultData.runData[NODE]?.at(-1) ?? {};
	const isOdd = response === 'odd';
	const warning = expect.stringMatching(/does not match the return types: .*"odd".*int256/);
	expect(items.map((item) => [item.json.value, item.json.warning])).toEqual(
		items.map(() => [response, isOdd ? warning : undefined]),
	);
	expect(items).toHaveLength(3);
	const message = expect.stringMatching(/^Item \d: The answer does not match .*int256/);
	expect(hints).toEqual(isOdd ? [{ type: 'warning', location: 'outputPane', message }] : []);
});
