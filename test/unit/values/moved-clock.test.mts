/** Durations do not change if the wall clock is set back or forward during a wait. */
import { ServiceError } from '../../../nodes/WalletService/request/failure/service-error.ts';
import { readRequestSettings } from '../../../nodes/WalletService/request/http/options.ts';
import { pause } from '../../../nodes/WalletService/request/http/deadline.ts';
import { withRetry } from '../../../nodes/WalletService/request/http/retry.ts';
import { checkUntil } from '../../../nodes/WalletService/request/run/repeated-checks.ts';
import { PollHistory } from '../../../nodes/WalletService/trigger/poll-history.ts';
import { monotonicMs, wallClockMs } from '../../../nodes/WalletService/values/clock.ts';
import { ExpiringMap } from '../../../nodes/WalletService/values/caches.ts';
import { UnknownCalls } from '../../../nodes/WalletService/writes/memory/process-memory.ts';
import { itemOf, newRun } from '../support/item.mts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;

async function tryAgain(retryAfterMs?: number): Promise<void> {
	let tries = 0;
	const details = { message: 'busy', hint: '', code: 'rate-limited', isTransient: true } as const;
	const rules = { settings: readRequestSettings({}), cancel: undefined };
	await withRetry(rules, async () => {
		tries += 1;
		if (tries === 1) throw new ServiceError({ ...details, retryAfterMs });
		return await Promise.resolve();
	});
}

async function check(): Promise<void> {
	const seconds: number[] = [];
	const start = monotonicMs();
	const last = await checkUntil(
		{ item: itemOf(), run: newRun(), waitMs: 7 * SECOND },
		async () => {
			const at = monotonicMs();
			seconds.push((at - start) / SECOND);
			return await Promise.resolve({ at, checkedAt: wallClockMs(), found: undefined });
		},
		() => false,
	);
	expect(seconds).toEqual([0, 2, 5, 7]);
	expect(last).toMatchObject({ checkedForMs: 7 * SECOND, checkedAt: Date.now() });
}

const waits: Record<string, [ms: number, wait: () => Promise<unknown>]> = {
	'a pause': [SECOND, async () => await pause(SECOND, undefined)],
	'the back-off before another attempt': [500, async () => await tryAgain()],
	'a pause requested by the service': [10 * SECOND, async () => await tryAgain(10 * SECOND)],
	'repeated checks': [7 * SECOND, check],
};

/** States that hold for a time; `begin` starts one, and returns a function that reports whether it still holds. */
const holds: Record<string, [ms: number, begin: () => () => boolean]> = {
	'a map whose values expire': [HOUR, expiringMap],
	'the block of a call of unknown outcome': [HOUR, unknownCall],
	'a state of a trigger that n8n is saving': [30 * SECOND, savedState],
};

function expiringMap(): () => boolean {
	const map = new ExpiringMap<number>({ maxEntries: 2, holdsForMs: HOUR });
	map.set('a', 1);
	return () => map.get('a') === 1;
}

function unknownCall(): () => boolean {
	const calls = new UnknownCalls();
	calls.set('pay', { reason: 'cut', hashes: [] });
	return () => calls.get('pay') !== undefined;
}

function savedState(): () => boolean {
	const history = new PollHistory();
	history.noteGiven(5);
	return () => history.isOutdated(4);
}

beforeEach(() => {
	jest.useFakeTimers();
	jest.spyOn(Math, 'random').mockReturnValue(0.999);
});
afterEach(() => {
	jest.restoreAllMocks();
	jest.useRealTimers();
});

describe.each([
	['back', -HOUR],
	['forward', HOUR],
])('with a clock that is set %s by an hour', (_name, byMs) => {
	/** Sets only the wall clock: Jest's timers and monotonic clock continue unchanged. */
	const setClock = () => jest.setSystemTime(Date.now() + byMs);

	test.each(Object.entries(waits))('%s keeps its duration', async (_what, [ms, wait]) => {
		const start = monotonicMs();
		const ended = wait().then(() => monotonicMs() - start);
		await jest.advanceTimersByTimeAsync(ms / 4);
		setClock();
		await jest.advanceTimersByTimeAsync(3 * HOUR);
		const took = await ended;
		expect(took).toBeGreaterThanOrEqual(ms - 2);
		expect(took).toBeLessThanOrEqual(ms + 2);
	});

	test.each(Object.entries(holds))('%s holds for its duration', (_what, [ms, begin]) => {
		const isHolding = begin();
		jest.advanceTimersByTime(ms - 1);
		setClock();
		expect(isHolding()).toBe(true);
		jest.advanceTimersByTime(1);
		expect(isHolding()).toBe(false);
	});
});
