/** When waiting items are checked, in simulated time; while waiting, they do not occupy a slot. */
import type { LastCheck } from '../../../../nodes/WalletService/request/run/repeated-checks.ts';
import {
	checkTimes,
	checkUntil,
} from '../../../../nodes/WalletService/request/run/repeated-checks.ts';
import { monotonicMs, wallClockMs } from '../../../../nodes/WalletService/values/clock.ts';
import type { PlannedRequest } from '../../../../nodes/WalletService/request/run/plan.ts';
import { Run } from '../../../../nodes/WalletService/request/run/run.ts';
import { itemOf, newRun } from '../../support/item.mts';
import { ROUTES } from '../../../../nodes/WalletService/request/http/routes.ts';
import { runItem } from '../../../../nodes/WalletService/request/run/run-item.ts';

const START = Date.UTC(2026, 10, 21);

interface Slow {
	/** How long the first check waits for its slot. */
	readonly untilSlotMs?: number;
	readonly answerMs?: number;
	/** Delay after the first check of other items. */
	readonly lateMs?: number;
}

async function check(
	waitMs: number,
	{ untilSlotMs = 0, answerMs = 0, lateMs }: Slow,
): Promise<{ seconds: number[]; last: LastCheck<number> }> {
	const seconds: number[] = [];
	const begin = monotonicMs();
	const sleep = async (ms: number) =>
		ms > 0 && (await new Promise((resolve) => setTimeout(resolve, ms)));
	const checking = checkUntil(
		{ item: itemOf(), run: newRun(), waitMs, ...(lateMs && { start: begin - lateMs }) },
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

	test.each([
		['after growing pauses and at the end', 100, {}, [0, 2, 5, 10, 18, 30, 50, 80, 100]],
		['in full after a late first one', 20, { untilSlotMs: 60_000 }, [60, 62, 65, 70, 78, 80]],
		// The checks due after 2 and 5 seconds are skipped: otherwise they would follow in immediate succession.
		['without overdue ones', 60, { answerMs: 12_000 }, [0, 12, 24, 36, 50, 62]],
		['at once if others began earlier, ending with theirs', 20, { lateMs: 12_000 }, [0, 6, 8]],
	])('are made %s', async (_when, waitSeconds, slow: Slow, expected) => {
		const { seconds, last } = await check(waitSeconds * 1000, slow);
		expect(seconds).toEqual(expected);
		const [first = NaN, end = NaN] = [seconds.at(0), seconds.at(-1)];
		const checkedAt = START + end * 1000 + (slow.answerMs ?? 0);
		const checkedForMs = (end - first) * 1000;
		expect(last).toMatchObject({ checkedAt, found: seconds.length, checkedForMs });
	});

	test('are made once without a time to wait', () => expect(checkTimes(0)).toEqual([0]));
});

// That it keeps no slot of a real service is tested in test/engine/contract-wait.
test('an item that waits leaves its slot to the next one, in a run of one at a time', async () => {
	let arrive: (() => void) | undefined;
	const arrival = new Promise<void>((resolve) => (arrive = resolve));
	const operationOf = (send: PlannedRequest['send'], isLongRunning?: true) => ({
		route: ROUTES.read,
		parameters: [],
		fields: [],
		plan: async () => await Promise.resolve({ url: '', send, isLongRunning }),
	});
	const rules = { credentialType: 'walletServiceApi', isSequential: true } as const;
	const run = new Run(() => ({}), rules);
	const waits = operationOf(async () => await arrival.then(() => [{ last: true }]), true);
	const ends = operationOf(async () => await Promise.resolve([{ first: true }]));
	const waiting = runItem(waits, () => itemOf(), run);
	expect(await runItem(ends, () => itemOf(1), run)).toMatchObject([{ json: { first: true } }]);
	arrive?.();
	expect(await waiting).toMatchObject([{ json: { last: true } }]);
});

test('an item whose turn comes after the run was stopped does not begin', async () => {
	const plan = jest.fn(async () => await Promise.reject(new Error('no')));
	const operation = { route: ROUTES.read, parameters: [], fields: [], plan };
	const rules = { credentialType: 'walletServiceApi', isSequential: true } as const;
	const run = new Run(() => ({}), rules);
	const stops = { continueOnFail: () => false };
	const items = [0, 1, 2].map(
		async (index) => await runItem(operation, () => itemOf(index, {}, stops), run),
	);
	await expect(items[0]).rejects.toThrow('no');
	expect(await Promise.all(items.slice(1))).toEqual([[], []]);
	expect(plan).toHaveBeenCalledTimes(1);
});
