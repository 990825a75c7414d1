/** Reads from a service that fails: what comes out, and how many requests reach it. */
import type { IDataObject } from 'n8n-workflow';

import { echoCall } from './support/contract-calls.mts';
import { Engine } from './support/engine.mts';
import type { FaultRequest } from '../../sandbox/src/faults/fault.mts';
import { Service } from '../support/sandbox/service.mts';
import { useResources } from '../support/resources.mts';

let engine: Engine;
let service: Service;

const resources = useResources();
beforeAll(async () => {
	[engine, service] = await Promise.all([Engine.create(), resources.use(Service.start())]);
});
afterEach(async () => await service.faults.reset());

const inOneHour = () => new Date(Date.now() + 3_600_000).toUTCString();

async function run(parameters: IDataObject, items = [{}]) {
	return await engine.run({
		parameters: { argumentsMode: 'json', ...parameters } as never,
		credential: service.credential(),
		items,
	});
}

const read = (options: IDataObject = {}) => ({
	...{ resource: 'balance', operation: 'native' },
	options,
});

/** Reads that differ from item to item. */
const reads = (options: IDataObject = {}) => ({ ...echoCall(service.contracts.shapes), options });

interface Case {
	readonly name: string;
	readonly fault: FaultRequest;
	readonly options?: IDataObject;
	/** Part of the error, or nothing when the item succeeds. */
	readonly error?: RegExp;
	readonly requests: number;
}

const READS: Case[] = [
	{
		name: 'two 503, then good',
		fault: { kind: 'status-text', times: 2, params: { status: 503 } },
		requests: 3,
	},
	{
		name: '429 with seconds, then good',
		fault: { kind: 'rate-limit', times: 1, params: { retryAfter: 1 } },
		requests: 2,
	},
	{
		name: '500 for ever',
		fault: { kind: 'status-text' },
		options: { maxTries: 3 },
		error: /had an internal error.*tried 3 times/,
		requests: 3,
	},
	{
		name: '400 is not tried again',
		fault: { kind: 'status-text', params: { status: 400 } },
		error: /^The service did not accept the request/,
		requests: 1,
	},
	{ name: 'cut before the work, then good', fault: { kind: 'drop-before', times: 1 }, requests: 2 },
	{ name: 'cut after the work, then good', fault: { kind: 'drop-after', times: 1 }, requests: 2 },
	{
		name: 'cut in the middle of the body, then good',
		fault: { kind: 'truncated-json', times: 1, params: { closeEarly: true } },
		requests: 2,
	},
	{
		name: 'a truncated body',
		fault: { kind: 'truncated-json' },
		error: /instead of JSON/,
		requests: 1,
	},
	{
		name: 'the wrong content type',
		fault: {
			kind: 'wrong-shape',
			params: { body: '{"a":1}', headers: { 'content-type': 'text/html' } },
		},
		error: /expected form/,
		requests: 1,
	},
	{
		name: 'an answer that never comes',
		fault: { kind: 'hang', times: 1 },
		options: { timeout: 1 },
		requests: 2,
	},
	{
		name: 'an answer that drips',
		fault: { kind: 'slow-drip', params: { ms: 200, bytes: 1 } },
		options: { timeout: 1, maxTries: 1 },
		error: /did not answer in time/,
		requests: 1,
	},
	{
		name: 'a Retry-After date',
		fault: {
			kind: 'rate-limit',
			times: 1,
			params: { retryAfter: new Date(Date.now() - 60_000).toUTCString() },
		},
		requests: 2,
	},
	{
		name: 'a Retry-After beyond the time that an item may take',
		fault: { kind: 'rate-limit', params: { retryAfter: inOneHour() } },
		options: { retryFor: 5 },
		error: /too many requests/i,
		requests: 1,
	},
];

test.each(READS)('a read with $name', async ({ fault, options, error, requests }) => {
	await service.faults.add(fault);
	const result = await run(read(options));
	if (error === undefined) {
		expect(result.error).toBeUndefined();
		expect(result.items[0]?.json.symbol).toBe('ETH');
	} else {
		expect(result.error?.message).toMatch(error);
	}
	expect(await service.faults.requests()).toHaveLength(requests);
});

/** What may pass by itself: a gateway, an overload, a maintenance. */
const TRIED_AGAIN = [408, 425, 429, 500, 502, 503, 504];
const TRIED_ONCE = [
	400, 401, 402, 403, 404, 405, 406, 409, 410, 411, 412, 413, 414, 415, 416, 417, 418, 421, 422,
	423, 424, 426, 428, 431, 451, 501, 505, 506, 507, 508, 510, 511,
];

describe.each([
	['a balance', { resource: 'balance', operation: 'native' }],
	[
		'a contract read',
		{
			resource: 'contract',
			functionSource: 'signature',
			operation: 'read',
			abi: 'f() view returns (bool)',
		},
	],
])('%s', (_what, parameters) => {
	test.each([
		...TRIED_AGAIN.map((status) => [status, 3] as const),
		...TRIED_ONCE.map((status) => [status, 1] as const),
	])('that is answered with %i is asked for %i times at most', async (status, requests) => {
		const params = { status, headers: { 'retry-after': '0' }, body: 'no' };
		await service.faults.add({ kind: 'status-text', params });
		const { error } = await run({
			...parameters,
			contractAddress: service.contracts.shapes,
			args: '[]',
			options: { maxTries: 3 },
		});
		expect(error).toMatchObject({ context: { details: { httpStatus: status } } });
		expect(await service.faults.requests()).toHaveLength(requests);
	});
});

test('a 10 MB answer arrives whole', async () => {
	await service.faults.add({ kind: 'large' });
	const { items } = await run({
		resource: 'contract',
		functionSource: 'signature',
		contractAddress: service.contracts.shapes,
		operation: 'read',
		abi: 'f() view returns (string)',
		args: '[]',
	});
	expect(String(items[0]?.json.value).length).toBeGreaterThan(10_000_000);
});

test('a storm of 429 slows the run down instead of losing items', async () => {
	await service.faults.add({ kind: 'rate-limit', times: 25, params: { retryAfter: 1 } });
	const items = Array.from({ length: 40 }, () => ({}));
	const result = await run(reads({ maxTries: 10 }), items);
	expect(result.error).toBeUndefined();
	expect(result.items).toHaveLength(40);
	expect((await service.faults.requests()).length).toBe(40 + 25);
});

test.each([1, 7])('at most %i requests are under way', async (concurrency) => {
	await service.faults.add({ kind: 'latency', params: { ms: 20 } });
	const items = Array.from({ length: 50 }, () => ({}));
	const result = await run(reads({ concurrency }), items);
	expect(result.items).toHaveLength(50);
	expect(await service.faults.mostInFlight()).toBe(concurrency);
});

test('in stop mode nothing is sent after a failure but what is already under way', async () => {
	await service.faults.add({ kind: 'status-text', skip: 5, times: 1, params: { status: 400 } });
	const items = Array.from({ length: 50 }, () => ({}));
	const result = await run(reads({ concurrency: 2 }), items);
	expect(result.error?.description).toContain('Item 5');
	expect((await service.faults.requests()).length).toBeLessThanOrEqual(8);
});

test('an item that is wrong ends the run: none after it is sent', async () => {
	await service.faults.add({ kind: 'latency', params: { ms: 20 } });
	const items = Array.from({ length: 20 }, (_, index) => ({ number: index === 7 ? 'x' : index }));
	const args = '={{ [String($json.number)] }}';
	const result = await run({ ...reads({ concurrency: 2 }), args }, items);
	expect(result.error?.message).toContain('"x"');
	expect(result.error?.description).toMatch(/Item 7$/);
	expect((await service.faults.requests()).length).toBeLessThanOrEqual(7);
});
