/** Items that wait: when they check again on simulated time, and that they keep no slot. */
import type { LastCheck } from '../../../../nodes/WalletService/request/run/repeated-checks.ts';
import {
	checkTimes,
	checkUntil,
} from '../../../../nodes/WalletService/request/run/repeated-checks.ts';
import { monotonicMs, wallClockMs } from '../../../../nodes/WalletService/values/clock.ts';
import { itemOf, newRun } from '../../support/item.mts';
import { ROUTES } from '../../../../nodes/WalletService/request/http/routes.ts';
import type { Planned } from '../../../../nodes/WalletService/request/run/plan.ts';
import { runItem } from '../../../../nodes/WalletService/request/run/run-item.ts';

const START = Date.UTC(2026, 10, 21);

/** Checks until the time is up; each check waits for its slot, and its answer takes time. */
async function check(
	waitMs: number,
	slow: { readonly untilSlotMs?: number; readonly answerMs?: number; readonly start?: number },
): Promise<{ seconds: number[]; last: LastCheck<number> }> {
	const { untilSlotMs = 0, answerMs = 0, start } = slow;
	const seconds: number[] = [];
	const begin = monotonicMs();
	const sleep = async (ms: number) =>
		ms > 0 && (await new Promise((resolve) => setTimeout(resolve, ms)));
	const checking = checkUntil(
		{ item: itemOf(), run: newRun(), waitMs, ...(start !== undefined && { start }) },
		async () => {
			await sleep(seconds.length === 0 ? untilSlotMs : 0);
			const at = monotonicMs();
			seconds.push((at - begin) / 1000);
			await sleep(answerMs);
			return { at, checkedAt: wallClockMs(), found: seconds.length };
		},
		() => false,
	);
	await jest.advanceTimersByTimeAsync(600_000);
	return { seconds, last: await checking };
}

describe('checks', () => {
	beforeEach(() => jest.useFakeTimers({ now: START }));
	afterEach(() => jest.useRealTimers());

	test('are made after growing pauses, and when the time is over', async () => {
		expect(checkTimes(0)).toEqual([0]);
		const { seconds, last } = await check(100_000, {});
		expect(seconds).toEqual([0, 2, 5, 10, 18, 30, 50, 80, 100]);
		expect(last).toMatchObject({ checkedAt: START + 100_000, found: 9, checkedForMs: 100_000 });
	});

	test('the time of an item counts from its own first check, however late that is', async () => {
		const { seconds, last } = await check(20_000, { untilSlotMs: 60_000 });
		expect(seconds).toEqual([60, 62, 65, 70, 78, 80]);
		expect(last.checkedForMs).toBe(20_000);
	});

	test('a slow service gets no overdue checks', async () => {
		const { seconds } = await check(60_000, { answerMs: 12_000 });
		// The checks due after 2 and 5 seconds are skipped: they would follow immediately, one after the other.
		expect(seconds).toEqual([0, 12, 24, 36, 50, 62]);
	});

	test('of an item that joins others late begin immediately, and end with theirs', async () => {
		const { seconds, last } = await check(20_000, { start: monotonicMs() - 12_000 });
		expect(seconds).toEqual([0, 6, 8]);
		expect(last.checkedForMs).toBe(8_000);
	});
});

test('an item that waits keeps neither its slot nor its place among the items read ahead', async () => {
	const happened: string[] = [];
	const { promise: allowed, resolve: allow } = Promise.withResolvers<unknown>();
	const plain = 10;
	const operation: Planned = {
		route: ROUTES.read,
		parameters: [],
		fields: [],
		plan: async ({ index }) => {
			const isLongRunning = index < plain;
			const send = async () => {
				if (isLongRunning) await allowed;
				happened.push(isLongRunning ? 'waited' : 'sent');
				if (!isLongRunning) allow(undefined);
				return await Promise.resolve([{ index }]);
			};
			return await Promise.resolve({ url: '', send, ...(isLongRunning && { isLongRunning }) });
		},
	};
	const run = newRun({ concurrency: 1 });
	let waiting = 0;
	const indexes = Array.from({ length: plain + 1 }, (_one, index) => index);
	const wait = () => void (waiting += 1);
	const output = await Promise.all(
		indexes.map(async (index) => await runItem(operation, itemOf(index), run, wait)),
	);
	expect(happened).toEqual(['sent', ...indexes.slice(1).map(() => 'waited')]);
	expect(output.flat().map(({ json }) => json.index)).toEqual(indexes);
	expect(waiting).toBe(plain);
});
