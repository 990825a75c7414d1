/** Failing reads: their output, alone or among successful items, and the number of requests that reach the service. */
import type { IDataObject } from 'n8n-workflow';

import type { FaultRequest } from '../../sandbox/src/faults/fault.mts';
import { echoCall, storeCall } from './support/contract-calls.mts';
import type { RunSettings } from './support/use-node.mts';
import { useNode } from './support/use-node.mts';
import { useService } from '../support/sandbox/service.mts';

const node = useNode(useService());

const BALANCE = { resource: 'balance', operation: 'native' };
const readOf = (abi: string): IDataObject =>
	storeCall(node.service.contracts.shapes, { operation: 'read', abi, args: '[]' });
const requests = async (): Promise<number> => (await node.service.faults.requests()).length;
const fault = async (kind: FaultRequest['kind'], more: Partial<FaultRequest> = {}) =>
	await node.service.faults.add({ kind, ...more });

/** Runs a read that differs from item to item. */
async function readMany(count: number, changes: IDataObject, settings: RunSettings = {}) {
	const items = Array.from({ length: count }, (_, index) => ({ index }));
	const parameters = { ...echoCall(node.service.contracts.shapes), ...changes };
	return await node.run(parameters, { items, ...settings });
}

const retryAt = (inMs: number) => new Date(Date.now() + inMs).toUTCString();
const limited = (retryAfter: number | string, times?: number): FaultRequest => ({
	kind: 'rate-limit',
	times,
	params: { retryAfter },
});
const CUT_OFF: FaultRequest = { kind: 'truncated-json', times: 1, params: { closeEarly: true } };
const DRIPPING: FaultRequest = { kind: 'slow-drip', params: { ms: 200, bytes: 1 } };
const HTML_TYPE = { body: '{"a":1}', headers: { 'content-type': 'text/html' } };

/** The expression matches the error message; it is `undefined` if the item succeeds. */
test.each<[name: string, FaultRequest, IDataObject, RegExp | undefined, requests: number]>([
	['two 503', { kind: 'status-text', times: 2, params: { status: 503 } }, {}, undefined, 3],
	['429 with seconds', limited(1, 1), {}, undefined, 2],
	['429 until a past time', limited(retryAt(-60_000), 1), {}, undefined, 2],
	['429 for too long', limited(retryAt(3_600_000)), { retryFor: 5 }, /too many requests/i, 1],
	['500 forever', { kind: 'status-text' }, { maxTries: 3 }, /internal error.*tried 3 times/, 3],
	['a connection cut before the work', { kind: 'drop-before', times: 1 }, {}, undefined, 2],
	['a connection cut after the work', { kind: 'drop-after', times: 1 }, {}, undefined, 2],
	['a connection cut within the body', CUT_OFF, {}, undefined, 2],
	['a truncated body', { kind: 'truncated-json' }, {}, /instead of JSON/, 1],
	['another content type', { kind: 'wrong-shape', params: HTML_TYPE }, {}, /expected form/, 1],
	['an answer that never comes', { kind: 'hang', times: 1 }, { timeout: 4 }, undefined, 2],
	['an answer that drips', DRIPPING, { timeout: 4, maxTries: 1 }, /did not answer in time/, 1],
])('a read with %s', async (_name, request, options, message, count) => {
	await node.service.faults.add(request);
	const { error, items } = await node.run({ ...BALANCE, options });
	if (message === undefined) expect([error, items[0]?.json.symbol]).toEqual([undefined, 'ETH']);
	else expect(error?.message).toMatch(message);
	expect(await requests()).toBe(count);
});

/** Possibly transient failures: a gateway, an overload, maintenance. */
const TRIED_AGAIN = [408, 425, 429, 500, 502, 503, 504];
const TRIED_ONCE = [
	400, 401, 402, 403, 404, 405, 406, 409, 410, 411, 412, 413, 414, 415, 416, 417, 418, 421, 422,
	423, 424, 426, 428, 431, 451, 501, 505, 506, 507, 508, 510, 511,
];

describe.each([
	['a balance', () => BALANCE],
	['a contract read', () => readOf('f() view returns (bool)')],
])('%s', (_what, parameters) => {
	test.each([
		...TRIED_AGAIN.map((status) => [status, 3] as const),
		...TRIED_ONCE.map((status) => [status, 1] as const),
	])('that is answered with %i is requested %i times at most', async (status, count) => {
		const params = { status, headers: { 'retry-after': '0' }, body: 'no' };
		await fault('status-text', { params });
		const { error } = await node.run({ ...parameters(), options: { maxTries: 3 } });
		expect(error).toMatchObject({ context: { details: { httpStatus: status } } });
		expect(await requests()).toBe(count);
	});
});

const TWO_AT_ONCE = { options: { concurrency: 2 } };

test('a storm of 429 slows the run down instead of losing items', async () => {
	await fault('rate-limit', { times: 25, params: { retryAfter: 1 } });
	const { items, error } = await readMany(40, { options: { maxTries: 10 } });
	expect(error).toBeUndefined();
	expect(items).toHaveLength(40);
	expect(await requests()).toBe(40 + 25);
});

test.each([1, 7])('at most %i requests are in flight', async (concurrency) => {
	await fault('latency', { params: { ms: 60 } });
	expect((await readMany(50, { options: { concurrency } })).items).toHaveLength(50);
	expect(await node.service.faults.mostInFlight()).toBe(concurrency);
});

test('after a failure that ends the run, only requests in flight reach the service', async () => {
	await fault('status-text', { skip: 5, times: 1, params: { status: 400 } });
	const { error } = await readMany(50, TWO_AT_ONCE);
	expect(error?.description).toContain('Item 6');
	expect(await requests()).toBeLessThanOrEqual(8);
});

test('an invalid item ends the run: no item after it is sent', async () => {
	await fault('latency', { params: { ms: 20 } });
	const args = '={{ [$json.index === 7 ? "x" : String($json.index)] }}';
	const { error } = await readMany(20, { ...TWO_AT_ONCE, args });
	expect(error?.message).toContain('"x"');
	expect(error?.description).toMatch(/Item 8$/);
	expect(await requests()).toBeLessThanOrEqual(7);
});

test('a cancelled run sends no more', async () => {
	await fault('latency', { params: { ms: 50 } });
	const reached = async (count: number): Promise<void> => {
		while ((await requests()) < count);
	};
	await readMany(200, TWO_AT_ONCE, { cancelWhen: reached(6) });
	const sent = await requests();
	expect(sent).toBeGreaterThanOrEqual(6);
	expect(sent).toBeLessThan(30);
	// Requests left in the queue would be sent within the next turns of the event loop.
	await node.service.chain.getBlockNumber();
	expect(await requests()).toBe(sent);
});

/** The second failed item; `documented-outputs` tests all fields of the first one. */
const INVALID = {
	error: expect.stringMatching(/^User ID: "not a user ID"/),
	message: expect.stringMatching(/\w\. Item 3$/),
	details: {
		code: 'invalid-input',
		itemIndex: 2,
		parameter: 'User ID',
		hint: expect.stringMatching(/\w/),
		endpoint: 'GET /v1/users/:userId',
	},
};

test('the error output has the failed items, with their input', async () => {
	const [first, last] = [node.service.user().id, node.service.user('Rahul Sen').id];
	const [unknown, invalid] = ['DISCORD-404', 'not a user ID'];
	const items = [first, unknown, invalid, last].map((id) => ({ id }));
	const user = { resource: 'user', operation: 'get', userId: '={{ $json.id }}' };
	const result = await node.run(user, { items, node: { onError: 'continueErrorOutput' } });
	expect(result.items.map(({ json }) => json)).toMatchObject([{ id: first }, { id: last }]);
	const details = expect.objectContaining({ code: 'not-found', itemIndex: 1 });
	expect(result.errorItems.map(({ json }) => json)).toEqual([
		{ id: unknown, error: `There is no user ${unknown}`, message: expect.any(String), details },
		{ id: invalid, ...INVALID },
	]);
});
