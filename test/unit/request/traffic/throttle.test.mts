/** Requests leave simultaneously, after a hold, or evenly after a refusal; the event loop turns between steps. */
import { connectionFailure } from '../../../../nodes/WalletService/request/failure/connection.ts';
import { failedStatus } from '../../../../nodes/WalletService/request/failure/http-status.ts';
import type { ThrottleRules } from '../../../../nodes/WalletService/request/traffic/throttle.ts';
import { yieldToEventLoop } from '../../../../nodes/WalletService/values/turns.ts';
import { Pacer, Throttle } from '../../../../nodes/WalletService/request/traffic/throttle.ts';
import { turnsDuring } from '../../../support/turns.mts';

function throttleOf(rules: Partial<ThrottleRules> = {}): Throttle {
	const adaptive = { isSequential: false, concurrency: undefined, probesFirst: false };
	return new Throttle({ ...adaptive, endsAt: Infinity, ...rules });
}

/** Submits 500 requests or items, and returns how many start immediately. */
async function startedOf(limit: (start: () => Promise<never>) => unknown): Promise<number> {
	let started = 0;
	for (let asked = 0; asked < 500; asked++) {
		void limit(async () => {
			started += 1;
			return await new Promise<never>(() => undefined);
		});
	}
	// Ten start at a time, with a few turns of the event loop in between.
	for (let quiet = 0, before = -1; quiet < 50; quiet = before === started ? quiet + 1 : 0) {
		before = started;
		await new Promise((resolve) => setImmediate(resolve));
	}
	return started;
}

type Start = () => Promise<unknown>;
const requestsOf = (throttle: Throttle) => (start: Start) => throttle.run(undefined, start);
const itemsOf = (throttle: Throttle) => (start: Start) => throttle.item(undefined, start);

describe('how many', () => {
	test.each([1, 7, 100, 200])(
		'with a Concurrency of %i, as many requests and twice as many items',
		async (most) => {
			expect(await startedOf(requestsOf(throttleOf({ concurrency: most })))).toBe(most);
			expect(await startedOf(itemsOf(throttleOf({ concurrency: most })))).toBe(2 * most);
		},
	);

	test('in order, one item is processed at a time, whatever the Concurrency', async () => {
		const throttle = throttleOf({ isSequential: true, concurrency: 7 });
		expect(await startedOf(requestsOf(throttle))).toBe(1);
		expect(await startedOf(itemsOf(throttle))).toBe(1);
	});

	test.each([
		['is refused with 429', failedStatus(429, ''), 24],
		['is refused with 503', failedStatus(503, ''), 24],
		['is not answered', connectionFailure(new Error('socket hang up')), 24],
		['is answered with 500, which concerns only itself', failedStatus(500, ''), 100],
		['is answered with 408, which concerns only itself', failedStatus(408, ''), 100],
	])('at the beginning, with one request that %s', async (_what, failure, then) => {
		const throttle = throttleOf();
		const failed = throttle.run(undefined, async () => await Promise.reject(failure));
		await expect(failed).rejects.toBe(failure);
		expect(await startedOf(requestsOf(throttle))).toBe(then);
	});
});

describe('in simulated time', () => {
	/** Maximum number of clock readings: a wait in slices needs fewer; a busy wait would never end. */
	const MOST_READS = 1000;

	beforeEach(() => {
		jest.useFakeTimers({ doNotFake: ['setImmediate'] });
		const now = performance.now.bind(performance);
		let reads = 0;
		jest.spyOn(performance, 'now').mockImplementation(() => {
			if (++reads > MOST_READS) throw new Error('The clock is read continually');
			return now();
		});
	});
	afterEach(() => {
		jest.restoreAllMocks();
		jest.useRealTimers();
	});

	const later = async () => await jest.advanceTimersByTimeAsync(600_000);

	/** Submits requests; each promise resolves to its departure in milliseconds from now, or to its error. */
	function leaving(throttle: Throttle, count: number, signal?: AbortSignal): Promise<unknown>[] {
		const start = performance.now();
		const leave = async () => await Promise.resolve(performance.now() - start);
		const send = async () => await throttle.run(signal, leave).catch(String);
		return Array.from({ length: count }, send);
	}

	async function allLeaving(...given: Parameters<typeof leaving>): Promise<unknown[]> {
		const times = leaving(...given);
		await later();
		return await Promise.all(times);
	}
	const leavingOne = async (throttle: Throttle, signal?: AbortSignal) =>
		(await allLeaving(throttle, 1, signal))[0];

	/** Sends a request that is answered after a second, then one that is refused. */
	async function refuse(throttle: Throttle): Promise<void> {
		const answer = async () => await new Promise((resolve) => setTimeout(resolve, 1000));
		void throttle.run(undefined, answer);
		await jest.advanceTimersByTimeAsync(1000);
		const refusal = async () => await Promise.reject(failedStatus(429, ''));
		void throttle.run(undefined, refusal).catch(() => undefined);
		await jest.advanceTimersByTimeAsync(0);
	}

	test.each([[], [1], [250], [999], [1000], [61_234], [5000, 1000]].map((holds) => [holds]))(
		'nothing leaves during holds of %j ms, and afterwards without delay',
		async (holds) => {
			const throttle = throttleOf();
			for (const time of holds) throttle.hold(time);
			expect(await leavingOne(throttle)).toBe(Math.max(0, ...holds));
			expect(await leavingOne(throttle)).toBe(0);
		},
	);

	test('a hold set while requests wait applies to all of them', async () => {
		const throttle = throttleOf();
		throttle.hold(1000);
		const times = leaving(throttle, 3);
		await jest.advanceTimersByTimeAsync(600);
		throttle.hold(3000);
		await later();
		expect(await Promise.all(times)).toEqual([3600, 3600, 3600]);
	});

	test('a hold ends when the execution is cancelled', async () => {
		const throttle = throttleOf();
		const cancel = new AbortController();
		throttle.hold(60_000);
		setTimeout(() => cancel.abort(), 1000);
		expect(await leavingOne(throttle, cancel.signal)).toBeLessThanOrEqual(1250);
	});

	test('requests leave at the same time until one is refused, and then evenly', async () => {
		expect(await allLeaving(throttleOf(), 5)).toEqual([0, 0, 0, 0, 0]);
		const throttle = throttleOf();
		await refuse(throttle);
		const times = (await allLeaving(throttle, 5)).map(Number);
		// At first, pauses are 1,000 ms divided by 24 requests in flight; immediate answers then shorten them.
		const pauses = times.slice(1).map((time, index) => time - (times[index] ?? NaN));
		expect(Math.min(...pauses)).toBeGreaterThan(15);
		expect(Math.max(...pauses)).toBeLessThan(50);
	});

	test('after a hold they leave evenly as well, including those whose turn came during it', async () => {
		const throttle = throttleOf();
		await refuse(throttle);
		throttle.hold(5000);
		const times = (await allLeaving(throttle, 6)).map(Number);
		expect(times[0]).toBe(5000);
		expect(new Set(times).size).toBe(6);
	});

	test('a request whose turn comes after the end of a poll fails immediately', async () => {
		const throttle = throttleOf({ endsAt: performance.now() + 3000 });
		throttle.hold(2999);
		expect(await leavingOne(throttle)).toBe(2999);
		const late = throttleOf({ endsAt: performance.now() + 3000 });
		late.hold(3000);
		const [failed] = leaving(late, 1);
		await jest.advanceTimersByTimeAsync(0);
		expect(await failed).toContain('time limit for a poll expired');
	});
});

describe('the event loop', () => {
	/** Takes simultaneous steps; returns the order in which they were taken. */
	async function take(pacer: Pacer, steps: number): Promise<number[]> {
		const taken: number[] = [];
		const step = async (_: unknown, index: number) => {
			await pacer.yield();
			taken.push(index);
		};
		await Promise.all(Array.from({ length: steps }, step));
		return taken;
	}

	const taking = (steps: number) => async () => await take(new Pacer(), steps);

	test.each([
		['two turns', async () => await yieldToEventLoop(2), 2],
		['four turns', async () => await yieldToEventLoop(4), 4],
		['eleven turns', async () => await yieldToEventLoop(11), 11],
		['11 steps', taking(11), 3],
		['31 steps', taking(31), 9],
	])('turns in %s', async (_what, action, count) => {
		// The first turn is already in progress.
		expect(await turnsDuring(action)).toBeGreaterThanOrEqual(count - 1);
	});

	test('does not turn during ten steps, and leaves the order of more unchanged', async () => {
		expect(await turnsDuring(taking(10))).toBe(0);
		expect(await take(new Pacer(), 35)).toEqual(Array.from({ length: 35 }, (_, index) => index));
	});
});
