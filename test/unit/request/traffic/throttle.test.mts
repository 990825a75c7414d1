/** When the requests of a run leave: how many at the same time, after a hold, and one after the other once one was refused. */
import { connectionFailure } from '../../../../nodes/WalletService/request/failure/connection.ts';
import { failedStatus } from '../../../../nodes/WalletService/request/failure/http-status.ts';
import type { ThrottleRules } from '../../../../nodes/WalletService/request/traffic/throttle.ts';
import { Throttle } from '../../../../nodes/WalletService/request/traffic/throttle.ts';

const throttleOf = (rules: Partial<ThrottleRules> = {}) =>
	new Throttle({
		...{ isSequential: false, concurrency: undefined, probesFirst: false, endsAt: Infinity },
		...rules,
	});

/** How many of many are started at once. */
async function startedOf(limit: (start: () => Promise<never>) => unknown): Promise<number> {
	let started = 0;
	for (let asked = 0; asked < 500; asked++) {
		void limit(async () => {
			started += 1;
			return await new Promise<never>(() => undefined);
		});
	}
	// The event loop turns a few times between ten and the next ten.
	for (let quiet = 0, before = -1; quiet < 50; quiet = before === started ? quiet + 1 : 0) {
		before = started;
		await new Promise((resolve) => setImmediate(resolve));
	}
	return started;
}

const requestsOf =
	(throttle: Throttle) =>
	(start: () => Promise<unknown>): unknown =>
		throttle.run(undefined, start);
const itemsOf =
	(throttle: Throttle) =>
	(start: () => Promise<unknown>): unknown =>
		throttle.item(start);

describe('how many', () => {
	test.each([1, 7, 100, 200])(
		'with a Concurrency of %i, as many requests are in flight, and twice as many items are worked on',
		async (concurrency) => {
			expect(await startedOf(requestsOf(throttleOf({ concurrency })))).toBe(concurrency);
			expect(await startedOf(itemsOf(throttleOf({ concurrency })))).toBe(2 * concurrency);
		},
	);

	test('in order, one item is worked on at a time, whatever Concurrency says', async () => {
		const throttle = throttleOf({ isSequential: true, concurrency: 7 });
		expect(await startedOf(requestsOf(throttle))).toBe(1);
		expect(await startedOf(itemsOf(throttle))).toBe(1);
	});

	test.each([
		['is answered', async () => await Promise.resolve()],
		['fails', async () => await Promise.reject(failedStatus(401, ''))],
	])('a run that probes sends the first request alone until it %s', async (_how, end) => {
		const throttle = throttleOf({ concurrency: 7, probesFirst: true });
		let isEnded = false;
		const first = throttle.run(undefined, async () => {
			await new Promise((resolve) => setImmediate(resolve));
			isEnded = true;
			await end();
		});
		const endedBefore: boolean[] = [];
		const others = Array.from({ length: 20 }, async () => {
			await throttle.run(undefined, async () => await Promise.resolve(endedBefore.push(isEnded)));
		});
		await Promise.allSettled([first, ...others]);
		expect(endedBefore).toEqual(Array.from({ length: 20 }, () => true));
		expect(await startedOf(requestsOf(throttle))).toBe(7);
	});

	test.each([
		['is refused with 429', failedStatus(429, ''), 8],
		['is refused with 503', failedStatus(503, ''), 8],
		['is not answered', connectionFailure(new Error('socket hang up')), 8],
		['is answered with 500, which is about itself', failedStatus(500, ''), 10],
		['is answered with 408, which is about itself', failedStatus(408, ''), 10],
	])('of 10 requests, one that %s', async (_what, failure, then) => {
		const throttle = throttleOf();
		const failed = throttle.run(undefined, async () => await Promise.reject(failure));
		await expect(failed).rejects.toBe(failure);
		expect(await startedOf(requestsOf(throttle))).toBe(then);
	});
});

describe('on turned time', () => {
	/** A wait in slices reads the clock less often; one that does not wait would never end. */
	const MOST_READS = 1000;

	beforeEach(() => {
		jest.useFakeTimers({ doNotFake: ['setImmediate'] });
		const now = performance.now.bind(performance);
		let reads = 0;
		jest.spyOn(performance, 'now').mockImplementation(() => {
			if (++reads > MOST_READS) throw new Error('It looks at the clock all the time');
			return now();
		});
	});
	afterEach(() => {
		jest.restoreAllMocks();
		jest.useRealTimers();
	});

	const wait = async (ms: number) => await new Promise((resolve) => setTimeout(resolve, ms));

	/** Lets ten minutes pass. */
	const later = async () => await jest.advanceTimersByTimeAsync(600_000);

	/** When each of some requests leaves, in milliseconds from now; how it failed if it does not. */
	function leaving(throttle: Throttle, count: number, signal?: AbortSignal): Promise<unknown>[] {
		const start = performance.now();
		return Array.from(
			{ length: count },
			async () =>
				await throttle
					.run(signal, async () => await Promise.resolve(performance.now() - start))
					.catch(String),
		);
	}

	async function leavingOne(throttle: Throttle, signal?: AbortSignal): Promise<unknown> {
		const [one] = leaving(throttle, 1, signal);
		await later();
		return await one;
	}

	/** A service that answers after a second, and then refuses one request. */
	async function refuse(throttle: Throttle): Promise<void> {
		void throttle.run(undefined, async () => await wait(1000));
		await jest.advanceTimersByTimeAsync(1000);
		void throttle
			.run(undefined, async () => await Promise.reject(failedStatus(429, '')))
			.catch(() => undefined);
		await jest.advanceTimersByTimeAsync(0);
	}

	test.each([1, 250, 999, 1000, 61_234])(
		'nothing leaves in a hold of %i ms, and then at once',
		async (time) => {
			const throttle = throttleOf();
			throttle.hold(time);
			expect(await leavingOne(throttle)).toBe(time);
			expect(await leavingOne(throttle)).toBe(0);
		},
	);

	test('nothing waits when nobody holds it', async () => {
		expect(await leavingOne(throttleOf())).toBe(0);
	});

	test('the longest of several holds counts', async () => {
		const throttle = throttleOf();
		throttle.hold(5000);
		throttle.hold(1000);
		expect(await leavingOne(throttle)).toBe(5000);
	});

	test('a hold that comes while requests wait counts for all of them', async () => {
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
		const before = leaving(throttleOf(), 5);
		await later();
		expect(await Promise.all(before)).toEqual([0, 0, 0, 0, 0]);
		const throttle = throttleOf();
		await refuse(throttle);
		const after = leaving(throttle, 5);
		await later();
		const times = (await Promise.all(after)).map(Number);
		// At first 1,000 ms for 7.5 in flight, then less, because these are answered at once.
		const pauses = times.slice(1).map((time, index) => time - (times[index] ?? NaN));
		expect(Math.min(...pauses)).toBeGreaterThan(50);
		expect(Math.max(...pauses)).toBeLessThan(150);
	});

	test('after a hold they leave evenly as well, also those whose turn came during it', async () => {
		const throttle = throttleOf();
		await refuse(throttle);
		throttle.hold(5000);
		const held = leaving(throttle, 6);
		await later();
		const times = (await Promise.all(held)).map(Number);
		expect(times[0]).toBe(5000);
		expect(new Set(times).size).toBe(6);
	});

	test('one whose turn comes after the end of a poll fails at once', async () => {
		const throttle = throttleOf({ endsAt: performance.now() + 3000 });
		throttle.hold(2999);
		const inTime = leaving(throttle, 1);
		await later();
		expect(await inTime[0]).toBe(2999);
		const late = throttleOf({ endsAt: performance.now() + 3000 });
		late.hold(3000);
		const [failed] = leaving(late, 1);
		await jest.advanceTimersByTimeAsync(0);
		expect(await failed).toContain('The time that n8n gives a poll was over');
	});
});
