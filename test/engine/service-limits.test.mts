/** What a service bears is found and kept to, without a setting; what several items ask for is asked once. */
import { setImmediate, setTimeout } from 'node:timers/promises';

import type { INodeParameters } from 'n8n-workflow';

import type { EngineRun } from './support/engine.mts';
import { Engine } from './support/engine.mts';
import { LoadedNodeTypes } from './support/node-types.mts';
import { Poller } from './support/poller.mts';
import { useScriptedService } from './support/scripted-service.mts';

const LATENCY_MS = 20;

/** So long that also a busy machine sends all that it may before the first answer comes. */
const LONG_LATENCY_MS = 250;

const service = useScriptedService();
let engine: Engine;
let nodeTypes: LoadedNodeTypes;

beforeAll(async () => {
	[engine, nodeTypes] = await Promise.all([Engine.create(), LoadedNodeTypes.load()]);
});

const credential = () => ({ baseUrl: service().baseUrl, accessToken: 'token', userId: '' });

const ADDRESS = '0x1111111111111111111111111111111111111111';
const userOf = (path: string) =>
	JSON.stringify({ id: decodeURIComponent(path.split('/')[3] ?? ''), address: ADDRESS });

/** Answers each request after a time, the first ones together; counts how many wait for their answer at once. */
function answerSlowly({ together = 1, latency = LATENCY_MS } = {}): { most: number } {
	const counts = { most: 0 };
	let inFlight = 0;
	service().script = async ({ path }) => {
		inFlight += 1;
		counts.most = Math.max(counts.most, inFlight);
		while (counts.most < together) await setImmediate();
		await setTimeout(latency);
		inFlight -= 1;
		return { body: path.endsWith('/history') ? '[]' : userOf(path) };
	};
	return counts;
}

const idOf = (index: number) => `A-${index}`;

/** Users, each of whom several items ask for. */
const users = (count: number, times = 1) =>
	Array.from({ length: count * times }, (_, index) => ({ id: idOf(index % count) }));

const get = async (
	items: { id: string }[],
	options: INodeParameters = {},
	more: Partial<EngineRun> = {},
) =>
	await engine.run({
		parameters: { resource: 'user', operation: 'get', userId: '={{ $json.id }}', options },
		credential: credential(),
		items,
		...more,
	});

const idsIn = (items: readonly { json: object }[]) =>
	items.map(({ json }) => ('id' in json ? json.id : json));

describe('how many requests are under way at the same time', () => {
	test('more and more, while the service refuses none; all items come out in order', async () => {
		const counts = answerSlowly({ latency: LONG_LATENCY_MS });
		const input = users(400);
		const { error, items } = await get(input);
		expect(error).toBeUndefined();
		expect(idsIn(items)).toEqual(input.map(({ id }) => id));
		expect(counts.most).toBeGreaterThan(10);
		expect(counts.most).toBeLessThanOrEqual(200);
		expect(service().requests).toHaveLength(400);
	});

	test('as many as Concurrency says, when it is set', async () => {
		const counts = answerSlowly({ together: 15 });
		await get(users(100), { concurrency: 15 });
		expect(counts.most).toBe(15);
	});

	test('in a poll of the trigger as well', async () => {
		const counts = answerSlowly({ latency: LONG_LATENCY_MS });
		const userIds = Array.from({ length: 100 }, (_, index) => idOf(index)).join('\n');
		const trigger = new Poller(nodeTypes, {
			parameters: { event: 'newTransfer', userIds, options: {} },
			credential: credential(),
		});
		await trigger.poll();
		expect(service().requests).toHaveLength(200);
		expect(counts.most).toBeGreaterThan(10);
	});
});

describe('what several items ask for', () => {
	test('is asked once, and each item gets a value of its own', async () => {
		answerSlowly();
		const input = users(5, 40);
		const { items } = await get(input);
		expect(idsIn(items)).toEqual(input.map(({ id }) => id));
		expect(service().requests).toHaveLength(5);
		const [one, other] = [items[0]?.json, items[5]?.json];
		expect(one).toEqual(other);
		expect(one).not.toBe(other);
	});

	test('is asked again after it failed', async () => {
		let asked = 0;
		service().script = async ({ path }) =>
			await Promise.resolve(
				asked++ === 0 ? { status: 400, body: 'not now' } : { body: userOf(path) },
			);
		const { items } = await get(
			users(1, 40),
			{ concurrency: 1 },
			{ node: { onError: 'continueRegularOutput' } },
		);
		const failed = items.filter(({ json }) => 'error' in json);
		// Those that had asked with it.
		expect(failed.length).toBeGreaterThan(0);
		expect(failed.length).toBeLessThanOrEqual(2);
		expect(service().requests).toHaveLength(2);
	});

	test('is asked again by the next run', async () => {
		answerSlowly();
		await get(users(1, 3));
		await get(users(1, 3));
		expect(service().requests).toHaveLength(2);
	});

	test('is asked for each access token, when the credential has one for each item', async () => {
		answerSlowly();
		const input = [1, 2, 1, 2].map((token) => ({ id: idOf(1), token: `token-${token}` }));
		const { items } = await get(
			input,
			{},
			{
				credential: { ...credential(), accessToken: '={{ $json.token }}' },
			},
		);
		expect(items).toHaveLength(4);
		expect(
			service()
				.requests.map(({ authorization }) => authorization)
				.sort(),
		).toEqual(['Bearer token-1', 'Bearer token-2']);
	});
});
