/** A service that says 429 means all requests of a run: nothing leaves until its time is over. */
import { setImmediate } from 'node:timers/promises';

import { Engine } from './support/engine.mts';
import { LoadedNodeTypes } from './support/node-types.mts';
import { Poller } from './support/poller.mts';
import type { ScriptedRequest } from './support/scripted-service.mts';
import { useScriptedService } from './support/scripted-service.mts';

/** Which request is told to come back later, counted from 0. */
const BUSY_REQUEST = 5;
const RETRY_AFTER_MS = 2000;
/** A poll begins with as many at the same time (docs/limits.md). */
const IN_FLIGHT = 10;
const TURNS = 300;

const service = useScriptedService();
let engine: Engine;
let nodeTypes: LoadedNodeTypes;

beforeAll(async () => {
	[engine, nodeTypes] = await Promise.all([Engine.create(), LoadedNodeTypes.load()]);
});

const credential = () => ({ baseUrl: service().baseUrl, accessToken: 'token', userId: 'A-1' });

function answerTo({ path }: ScriptedRequest): string {
	if (path.endsWith('/history')) return '[]';
	const id = path.split('/')[3];
	return JSON.stringify({ id, address: `0x${'1'.repeat(40)}` });
}

/** Answers one request with a status. Gives the times, from then on, at which others arrive. */
function answerOnceWith(status: number): number[] {
	const arrivals: number[] = [];
	let asked = 0;
	let busyAt: number | undefined;
	let noticed = Promise.resolve();
	service().script = async (request) => {
		if (busyAt !== undefined) arrivals.push(Date.now() - busyAt);
		if (asked++ === BUSY_REQUEST) {
			busyAt = Date.now();
			// Those that are under way are answered when the node has heard of it.
			noticed = (async () => {
				for (let turn = 0; turn < TURNS; turn++) await setImmediate();
			})();
			return { status, headers: { 'retry-after': String(RETRY_AFTER_MS / 1000) }, body: 'later' };
		}
		await setImmediate();
		await noticed;
		return { body: answerTo(request) };
	};
	return arrivals;
}

/** How many arrive before the time is over; a timer may be a little early. */
const early = (arrivals: number[]): number =>
	arrivals.filter((time) => time < RETRY_AFTER_MS - 50).length;

const runs = {
	async 'a run of the node'() {
		const { items, error } = await engine.run({
			parameters: {
				resource: 'user',
				operation: 'get',
				userId: '={{ "A-" + $itemIndex }}',
				options: { concurrency: IN_FLIGHT },
			},
			credential: credential(),
			items: Array.from({ length: 60 }, () => ({})),
		});
		expect(error).toBeUndefined();
		expect(items).toHaveLength(60);
	},
	async 'a poll of the trigger'() {
		const userIds = Array.from({ length: 30 }, (_, index) => `A-${index}`).join('\n');
		const trigger = new Poller(nodeTypes, {
			parameters: { event: 'newTransfer', userIds, options: {} },
			credential: credential(),
		});
		expect(await trigger.poll()).toBeUndefined();
		expect(JSON.stringify(trigger.staticData).match(/0x1111/g)).toHaveLength(30);
	},
};

describe.each(Object.entries(runs))('%s', (_name, run) => {
	test('sends nothing more after a 429 until its time is over, and then all', async () => {
		const arrivals = answerOnceWith(429);
		await run();
		// Those that were under way: a poll begins with 10, and may send one more for each answer.
		expect(early(arrivals)).toBeLessThan(IN_FLIGHT + BUSY_REQUEST);
		expect(service().requests).toHaveLength(61);
	});

	test('goes on after a 503, which is about one request', async () => {
		const arrivals = answerOnceWith(503);
		await run();
		// More than those that were under way: new ones leave, though not all that quickly on a busy machine.
		expect(early(arrivals)).toBeGreaterThan(IN_FLIGHT);
		expect(service().requests).toHaveLength(61);
	});
});
