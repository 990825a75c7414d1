/** The service's capacity is found without a setting: after a 429, nothing is sent until its wait is over, and nothing twice. */
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';

import { json } from './support/answers.mts';
import { useTrigger } from './support/trigger-service.mts';
import type { RunSettings } from './support/use-node.mts';
import { useNode } from './support/use-node.mts';

const LATENCY_MS = 20;
/** Long enough that even a busy machine sends all allowed requests before the first answer arrives. */
const LONG_LATENCY_MS = 250;
/** Index of the request that must be retried later. */
const BUSY_REQUEST = 5;
const RETRY_AFTER_MS = 5000;
/** Number of simultaneous requests with which a poll starts (docs/limits.md), and one that a run is given. */
const POLL_STARTS_WITH = 32;
const GIVEN = 10;
const TURNS = 300;

const node = useNode();
const { poller } = useTrigger(() => node.service);

const address = `0x${'1'.repeat(40)}`;
const answerTo = (path: string) =>
	json(path.endsWith('/history') ? [] : { id: path.split('/')[3], address });

/** Items that request this many users, each of them this many times. */
const users = (count: number, times = 1) =>
	Array.from({ length: count * times }, (_, index) => ({ id: `A-${index % count}` }));

const GET = { resource: 'user', operation: 'get', userId: '={{ $json.id }}' };
const get = async (items: IDataObject[], options: IDataObject = {}, more: RunSettings = {}) =>
	await node.items({ ...GET, options }, { items, ...more });

/** Runs the first poll for transfers of this many users. */
async function poll(count: number): Promise<void> {
	const userIds = users(count).map(({ id }) => id);
	const trigger = poller({ event: 'newTransfer', userIds: userIds.join('\n'), options: {} });
	expect(await trigger.poll()).toBeUndefined();
	expect(JSON.stringify(trigger.staticData).match(/0x1111/g)).toHaveLength(count);
}

/** Answers requests slowly; returns the maximum number pending at once. */
function answerSlowly(latency = LATENCY_MS): { most: number } {
	const counts = { most: 0 };
	let inFlight = 0;
	node.service.script = async ({ path }) => {
		inFlight += 1;
		counts.most = Math.max(counts.most, inFlight);
		await setTimeout(latency);
		inFlight -= 1;
		return answerTo(path);
	};
	return counts;
}

// `faults-of-reads` tests the number that Concurrency sets.
test('simultaneous requests grow while the service refuses none, and the items keep their order', async () => {
	const counts = answerSlowly(LONG_LATENCY_MS);
	const items = await get(users(400));
	expect(items.map(({ id }) => ({ id }))).toEqual(users(400));
	expect(counts.most).toBeGreaterThan(10);
	expect(counts.most).toBeLessThanOrEqual(200);
	expect(node.service.requests).toHaveLength(400);
});

describe('what several items need', () => {
	test('is requested once in a run, and each item has its own copy', async () => {
		answerSlowly();
		const items = await get(users(5, 40));
		expect(items.map(({ id }) => ({ id }))).toEqual(users(5, 40));
		expect(node.service.requests).toHaveLength(5);
		expect(items[0]).toEqual(items[5]);
		expect(items[0]).not.toBe(items[5]);
		// The next run sends the requests again.
		await get(users(1, 3));
		expect(node.service.requests).toHaveLength(6);
	});

	test('is requested for each access token, when the credential has one for each item', async () => {
		answerSlowly();
		const given = [1, 2, 1, 2].map((token) => ({ id: 'A-1', token: `token-${token}` }));
		const credential = { ...node.service.credential(), accessToken: '={{ $json.token }}' };
		expect(await get(given, {}, { credential })).toHaveLength(4);
		const tokens = node.service.requests.map(({ authorization }) => authorization);
		expect(tokens.sort()).toEqual(['Bearer token-1', 'Bearer token-2']);
	});
});

/** Answers one request with a status. Returns the arrival times of later requests, relative to it. */
function answerOnceWith(status: number): number[] {
	const arrivals: number[] = [];
	let asked = 0;
	let busyAt: number | undefined;
	let noticed = Promise.resolve();
	node.service.script = async ({ path }) => {
		if (busyAt !== undefined) arrivals.push(Date.now() - busyAt);
		if (asked++ === BUSY_REQUEST) {
			busyAt = Date.now();
			// The other requests in flight are answered once the node has received this status.
			noticed = (async () => {
				for (let turn = 0; turn < TURNS; turn++) await setImmediate();
			})();
			return { status, headers: { 'retry-after': String(RETRY_AFTER_MS / 1000) }, body: 'later' };
		}
		await setImmediate();
		await noticed;
		return answerTo(path);
	};
	return arrivals;
}

/** Number of requests that arrive before the wait is over; timers may fire slightly early. */
const early = (arrivals: number[]): number =>
	arrivals.filter((time) => time < RETRY_AFTER_MS - 50).length;

describe.each<[name: string, inFlight: number, requests: number, run: () => Promise<void>]>([
	[
		...(['a run of the node', GIVEN, 61] as const),
		async () => expect(await get(users(60), { concurrency: GIVEN })).toHaveLength(60),
	],
	['a poll of the trigger', POLL_STARTS_WITH, 201, async () => await poll(100)],
])('%s', (_name, inFlight, requests, run) => {
	test('sends nothing more after a 429 until its wait is over, and then everything', async () => {
		const arrivals = answerOnceWith(429);
		await run();
		// Only requests that were already in flight, and one more for each answer before.
		expect(early(arrivals)).toBeLessThan(inFlight + BUSY_REQUEST);
		expect(node.service.requests).toHaveLength(requests);
	});

	test('continues after a 503, which concerns one request', async () => {
		const arrivals = answerOnceWith(503);
		await run();
		// More requests than were in flight: new ones are sent, though slowly on a busy machine.
		expect(early(arrivals)).toBeGreaterThan(inFlight);
		expect(node.service.requests).toHaveLength(requests);
	});
});
