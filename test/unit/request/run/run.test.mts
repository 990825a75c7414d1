import { Run } from '../../../../nodes/WalletService/request/run/run.ts';
import { monotonicMs } from '../../../../nodes/WalletService/values/clock.ts';

/** How many of many are started at once. */
async function startedOf(limit: (start: () => Promise<never>) => unknown): Promise<number> {
	let started = 0;
	for (let asked = 0; asked < 500; asked++) {
		void limit(async () => {
			started += 1;
			return await new Promise<never>(() => undefined);
		});
	}
	await new Promise((resolve) => setImmediate(resolve));
	return started;
}

const inSlotOf =
	(run: Run) =>
	(start: () => Promise<unknown>): unknown =>
		run.inSlot(start);

test.each([1, 7, 100, 200])(
	'with a Concurrency of %i, as many are in flight, and twice as many are worked on',
	async (concurrency) => {
		const run = new Run(() => ({ concurrency }));
		expect(await startedOf(inSlotOf(run))).toBe(concurrency);
		expect(await startedOf(run.readAhead)).toBe(2 * concurrency);
	},
);

test('in order, one item is worked on at a time, whatever Concurrency says', async () => {
	const run = new Run(() => ({ concurrency: 7 }), { isSequential: true });
	expect(await startedOf(inSlotOf(run))).toBe(1);
	expect(await startedOf(run.readAhead)).toBe(1);
});

test.each([
	['sent', async () => await Promise.resolve({ statusCode: 200, headers: {}, body: '' })],
	['failed', async () => await Promise.reject(new Error('401'))],
])(
	'a run that probes sends the first item alone, and all others once it has %s',
	async (_how, end) => {
		const run = new Run(() => ({ concurrency: 7 }), { probesFirst: true });
		let isEnded = false;
		// There was nothing to look up.
		void run.inSlot(async () => await Promise.resolve());
		const first = run.inSlot(async () => {
			await new Promise((resolve) => setImmediate(resolve));
			isEnded = true;
			await run.exchange(end);
		});
		const endedBefore: boolean[] = [];
		const others = Array.from(
			{ length: 20 },
			async () => await run.inSlot(async () => await Promise.resolve(endedBefore.push(isEnded))),
		);
		await Promise.allSettled([first, ...others]);
		expect(endedBefore).toEqual(Array.from({ length: 20 }, () => true));
		expect(await startedOf(inSlotOf(run))).toBe(7);
	},
);

test.each([
	[
		'is answered with 503',
		async () => await Promise.resolve({ statusCode: 503, headers: {}, body: '' }),
	],
	['is not answered', async () => await Promise.reject(new Error('ECONNRESET'))],
])('half as many are in flight after a request that %s', async (_what, send) => {
	const run = new Run(() => ({}));
	await Promise.allSettled(Array.from({ length: 10 }, async () => await run.exchange(send)));
	expect(await startedOf(inSlotOf(run))).toBe(5);
});

test('items that try again are bounded by the present number as well', async () => {
	const run = new Run(() => ({}));
	const send = async () => await Promise.resolve({ statusCode: 503, headers: {}, body: '' });
	await run.exchange(send);
	const tryAgain = (start: () => Promise<unknown>): unknown => run.inLane(undefined, start);
	expect(await startedOf(tryAgain)).toBe(5);
});

describe('a run that is held', () => {
	/** A wait in slices reads the clock less often; one that does not wait would never end. */
	const MOST_READS = 1000;

	beforeEach(() => {
		jest.useFakeTimers();
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

	const newRun = () => new Run(() => ({}));

	/** How many milliseconds it takes until a run sends again. */
	async function restOf(run: Run, signal?: AbortSignal): Promise<number> {
		const start = monotonicMs();
		const resumed = run.untilOpen(signal).then(() => monotonicMs() - start);
		await jest.advanceTimersByTimeAsync(600_000);
		return await resumed;
	}

	/** Refused three times, with fewer requests each time: the service counts them per second. */
	async function findRate(run: Run): Promise<void> {
		for (const statusCode of [200, 429, 429, 429, 429]) {
			const answer = { statusCode, headers: {}, body: '' };
			await run.exchange(async () => await Promise.resolve(answer));
			await jest.advanceTimersByTimeAsync(1);
		}
	}

	test.each([1, 250, 999, 1000, 61_234])(
		'sends nothing for %i ms, and then at once',
		async (time) => {
			const run = newRun();
			run.hold(time);
			expect(await restOf(run)).toBe(time);
			expect(await restOf(run)).toBe(0);
		},
	);

	test('does not wait when nobody holds it', async () => {
		expect(await restOf(newRun())).toBe(0);
	});

	test('does not wait for a turn that comes after its time', async () => {
		const endsAt = monotonicMs() + 8000;
		const run = new Run(() => ({}), { endsAt });
		await findRate(run);
		const ends = Array.from({ length: 20 }, async () => {
			const [{ status }] = await Promise.allSettled([run.untilOpen(undefined)]);
			return { status, isInTime: monotonicMs() < endsAt };
		});
		await jest.advanceTimersByTimeAsync(600_000);
		const results = await Promise.all(ends);
		expect(results.map(({ isInTime }) => isInTime)).not.toContain(false);
		expect(new Set(results.map(({ status }) => status))).toEqual(
			new Set(['fulfilled', 'rejected']),
		);
	});

	test('sends one after the other again after a hold, also those whose turn came during it', async () => {
		const run = newRun();
		await findRate(run);
		const opened = Array.from({ length: 6 }, async () => {
			await run.untilOpen(undefined);
			return monotonicMs();
		});
		await jest.advanceTimersByTimeAsync(1);
		run.hold(5000);
		await jest.advanceTimersByTimeAsync(600_000);
		const [first = NaN, second = NaN, ...others] = await Promise.all(opened);
		const pauses = others.map((time, index) => time - ([second, ...others][index] ?? NaN));
		// The first one had its turn before; one request per second was let through.
		expect(second - first).toBeGreaterThanOrEqual(4999);
		expect(Math.min(...pauses)).toBeGreaterThan(500);
	});

	test('waits for the longest of several holds', async () => {
		const run = newRun();
		run.hold(5000);
		run.hold(1000);
		expect(await restOf(run)).toBe(5000);
	});

	test('waits for a hold that comes while it waits, and so do all who wait', async () => {
		const run = newRun();
		run.hold(1000);
		const start = monotonicMs();
		const ends = [1, 2, 3].map(async () => {
			await run.untilOpen(undefined);
			return monotonicMs() - start;
		});
		await jest.advanceTimersByTimeAsync(600);
		run.hold(3000);
		await jest.advanceTimersByTimeAsync(600_000);
		expect(await Promise.all(ends)).toEqual([3600, 3600, 3600]);
	});

	test('stops waiting when the execution is cancelled', async () => {
		const run = newRun();
		const cancel = new AbortController();
		run.hold(60_000);
		setTimeout(() => cancel.abort(), 1000);
		expect(await restOf(run, cancel.signal)).toBeLessThanOrEqual(1250);
	});
});
