/** What a service bears is found and kept to, without a setting; what several items ask for is asked once. */
import { setImmediate, setTimeout } from 'node:timers/promises';

import type { INodeParameters } from 'n8n-workflow';

import type { EngineRun } from './support/engine.mts';
import { Engine } from './support/engine.mts';
import { LoadedNodeTypes } from './support/node-types.mts';
import { Poller } from './support/poller.mts';
import type { ScriptedAnswer } from './support/scripted-service.mts';
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
	test('more and more, while the service answers as quickly as before; all items come out in order', async () => {
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

describe('a service that says how many requests are left', () => {
	const WINDOW_S = 1;
	const QUOTA = 25;

	/** Lets some requests through in each second, and says so; counts those beyond. */
	function answerWithQuota(): { refused: number } {
		const counts = { refused: 0 };
		let window = { endsAt: 0, left: 0 };
		service().script = async ({ path }): Promise<ScriptedAnswer> => {
			const now = Date.now();
			if (now >= window.endsAt) window = { endsAt: now + WINDOW_S * 1000, left: QUOTA };
			const { endsAt, left } = window;
			window.left -= 1;
			if (left <= 0) counts.refused += 1;
			await setTimeout(5);
			const seconds = Math.ceil((endsAt - now) / 1000);
			const ratelimit = `"second";r=${Math.max(0, left - 1)};t=${seconds}`;
			return left <= 0
				? { status: 429, headers: { ratelimit, 'retry-after': '1' }, body: 'too many' }
				: { headers: { ratelimit }, body: userOf(path) };
		};
		return counts;
	}

	test.each([{}, { concurrency: 4 }])(
		'is never asked for more, with the options %j',
		async (options) => {
			const counts = answerWithQuota();
			const { error, items } = await get(users(60), options);
			expect(error).toBeUndefined();
			expect(items).toHaveLength(60);
			expect(counts.refused).toBe(0);
		},
	);
});

test('a service that only says how many requests it lets through in which time is never asked for more', async () => {
	const WINDOW_MS = 1000;
	const QUOTA = 12;
	const arrivals: number[] = [];
	service().script = async ({ path }) => {
		arrivals.push(Date.now());
		const headers = { 'ratelimit-policy': `"second";q=${QUOTA};w=1` };
		return await Promise.resolve({ headers, body: userOf(path) });
	};
	const { items } = await get(users(40));
	expect(items).toHaveLength(40);
	const times = arrivals.slice(QUOTA).map((time, index) => time - (arrivals[index] ?? 0));
	// A timer may be a little early.
	expect(Math.min(...times)).toBeGreaterThan(WINDOW_MS - 50);
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

	test.each([true, 'true'])(
		'is asked for each item with Ask for Each Item %j',
		async (askForEachItem) => {
			answerSlowly();
			await get(users(5, 8), { askForEachItem });
			expect(service().requests).toHaveLength(40);
		},
	);

	test('is asked again after it failed', async () => {
		let asked = 0;
		service().script = async ({ path }) =>
			await Promise.resolve(
				asked++ === 0 ? { status: 400, body: 'not now' } : { body: userOf(path) },
			);
		const { items } = await engine.run({
			parameters: {
				...{ resource: 'user', operation: 'get', userId: 'A-1' },
				options: { concurrency: 1 },
			},
			credential: credential(),
			items: users(3),
			node: { onError: 'continueRegularOutput' },
		});
		expect(items.map(({ json }) => 'error' in json)).toEqual([true, false, false]);
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
