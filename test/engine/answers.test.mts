/** Answers of every form: unsimplified ones, huge integers, a `status`, wrong types, and invalid answers. */
import type { INodeParameters } from 'n8n-workflow';

import type { FaultRequest } from '../../sandbox/src/faults/fault.mts';
import { storeCall } from './support/contract-calls.mts';
import { NODE } from './support/engine.mts';
import { useTrigger } from './support/trigger-service.mts';
import { useNode } from './support/use-node.mts';
import { useService } from '../support/sandbox/service.mts';

const service = useService();
const node = useNode(service);
const { poller } = useTrigger(service);

const USER = { resource: 'user', operation: 'get' };
const BALANCE = { resource: 'balance', operation: 'native' };
const HISTORY = { resource: 'history', operation: 'list' };

const call = (operation: string, abi: string, args: unknown[] = []): INodeParameters =>
	storeCall(node.service.contracts.shapes, { operation, abi, args: JSON.stringify(args) });
const read = (abi: string, args?: unknown[]): INodeParameters => call('read', abi, args);

/** Sets the body of all answers, or of matching ones. */
async function answerWith(body: unknown, more: Partial<FaultRequest> = {}): Promise<void> {
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	await node.service.faults.add({ kind: 'wrong-shape', params: { body: text }, ...more });
}

test.each<[string, INodeParameters, string]>([
	['user', USER, ''],
	['balance', BALANCE, '/balance'],
	['history', { ...HISTORY, returnAll: true }, '/history'],
])('the %s answer is output unchanged when Simplify is off', async (_name, parameters, path) => {
	const { items } = await node.run({ ...parameters, simplify: false });
	const { data } = await node.service.as('Nelly').get(`/v1/users/${node.service.user().id}${path}`);
	expect(items.map(({ json }) => json)).toEqual([data].flat());
});

test('integers beyond 2^53 are exact when Simplify is off', async () => {
	const response = '[9007199254740993,-12345678901234567890,7]';
	await answerWith(`{"status":"SUCCESS","explorerUrl":"","response":${response}}`);
	const { items } = await node.run({ ...read('f() view returns (uint256)'), simplify: false });
	expect(items[0]?.json.response).toEqual(['9007199254740993', '-12345678901234567890', 7]);
});

test('an empty history causes neither items nor an error', async () => {
	await answerWith([]);
	const { items, error } = await node.run(HISTORY);
	expect([items, error]).toEqual([[], undefined]);
});

const NOT_JSON = /instead of JSON/;
const ODD_FORM = /does not have the expected form/;
const body = (text: string): FaultRequest => ({ kind: 'wrong-shape', params: { body: text } });

describe.each<[string, FaultRequest, RegExp]>([
	['an HTML page', { kind: 'html' }, /a web page instead of JSON/],
	['an empty body', { kind: 'empty' }, /an empty body instead of JSON/],
	['JSON null', { kind: 'null' }, ODD_FORM],
	['half a JSON text', { kind: 'truncated-json' }, NOT_JSON],
	['broken JSON', { kind: 'broken-json' }, NOT_JSON],
	['another shape', { kind: 'wrong-shape' }, ODD_FORM],
	['a JSON string', body('"hello"'), ODD_FORM],
	['a JSON number', body('5'), ODD_FORM],
	['a list of lists', body('[[1]]'), ODD_FORM],
])('%s', (_name, fault, message) => {
	const user = 'GET /v1/users/DISCORD-80351110224678912';

	test.each<[string, () => INodeParameters, string]>([
		['User: Get', () => USER, user],
		['Balance: Get Native', () => BALANCE, `${user}/balance`],
		['History: Get Many', () => HISTORY, `${user}/history`],
		['Contract: Read', () => read('f() view returns (uint256)'), 'POST /v1/contracts/method/read'],
		['Contract: Write', () => call('write', 'f()'), 'POST /v1/contracts/method/write'],
	])('is an error of %s whose details name the endpoint', async (_what, parameters, endpoint) => {
		await node.service.faults.add(fault);
		const { error } = await node.run(parameters());
		expect(error?.message).toMatch(message);
		expect(error).toMatchObject({ context: { details: { endpoint }, data: { endpoint } } });
		expect(error?.description).not.toMatch(/HTTP|\/v1\//);
	});
});

describe('a status', () => {
	const profile = (fields: object) => ({
		...{ ...node.service.user(), accessToken: undefined },
		...fields,
	});

	const ALONE = ['active', 'SUCCESSFUL', 'FAILED', '', 0, null, false, { is: 'FAILED' }];
	const WITH_ERROR = ['active', ['FAILED'], 'NOT FAILED'];

	test.each([
		...ALONE.map((status) => ({ status })),
		...WITH_ERROR.map((status) => ({ status, error: 'none so far' })),
	])('%j belongs to the user', async (fields) => {
		await answerWith(profile(fields));
		const { address, id } = node.service.user();
		const { items, error } = await node.run(USER);
		expect(error).toBeUndefined();
		expect(items[0]?.json).toMatchObject({ address });
		const raw = await node.run({ ...USER, simplify: false });
		expect(raw.items[0]?.json).toMatchObject({ ...fields, id });
	});

	test('of a user prevents neither a user ID in a call nor a poll', async () => {
		const { id, address } = node.service.user();
		const active = profile({ status: 'active' });
		await answerWith(active, { match: { method: 'GET' } });
		const { items } = await node.run(read('echoAddress(address) view returns (address)', [id]));
		expect(items[0]?.json.value).toBe(address);
		await node.service.faults.reset();
		await answerWith(active, { match: { path: `/v1/users/${id}` } });
		const trigger = poller({ event: 'newTransfer', userIds: id });
		await trigger.poll();
		expect(JSON.stringify(trigger.staticData)).toContain(address.toLowerCase());
	});

	test('can be the symbol of a coin', async () => {
		const coin = { balance: '5', formatted: '5', decimals: 0, symbol: 'status', name: 'Ether' };
		const status = { ...coin, tokenAddress: null, network: 'sandbox', chainId: 1 };
		await answerWith({ status });
		const { items } = await node.run(BALANCE);
		expect(items[0]?.json).toMatchObject({ symbol: 'status', baseUnits: '5' });
	});

	test.each(['FAILED', 'failed', 'Failed'])(
		'%s with an error text is a failure',
		async (status) => {
			await answerWith({ status, error: 'No such thing' });
			for (const parameters of [USER, BALANCE, { ...USER, simplify: false }]) {
				expect((await node.run(parameters)).error?.message).toContain('No such thing');
			}
		},
	);

	test.each(['active', 'PENDING', 'FAILED', 'failed', 0, null])(
		'%j of a read is a failure without an error text, too',
		async (status) => {
			await answerWith({ status, response: '1' });
			const { error, items } = await node.run(read('f()'));
			expect(error?.message).toContain(`status ${JSON.stringify(status)}`);
			expect(items).toEqual([]);
		},
	);
});

describe('the return types of a read', () => {
	async function readNegative() {
		const { items, run: whole } = await node.run(read('negative() view returns (int256)'), {
			items: [{}, {}, {}],
		});
		const { hints } = whole.data.resultData.runData[NODE]?.at(-1) ?? {};
		return { items: items.map(({ json }) => json), hints };
	}

	test('that an answer does not match: it is output unchanged, with one warning on the node', async () => {
		await answerWith({ status: 'SUCCESS', explorerUrl: 'http://127.0.0.1/', response: 'odd' });
		const { items, hints } = await readNegative();
		const warning = expect.stringMatching(/does not match the return types: .*"odd".*int256/);
		const item = expect.objectContaining({ value: 'odd', warning });
		expect(items).toEqual([item, item, item]);
		const message = expect.stringMatching(/^Item \d: The answer does not match .*int256/);
		expect(hints).toEqual([{ type: 'warning', location: 'outputPane', message }]);
	});

	test('that all answers match: there is no warning', async () => {
		const { items, hints } = await readNegative();
		expect(items.map(({ warning }) => warning)).toEqual([undefined, undefined, undefined]);
		expect(hints).toEqual([]);
	});
});
