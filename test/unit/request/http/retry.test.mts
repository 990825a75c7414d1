/** Retries: the pauses between attempts, and the removal of listeners at the end of a request. */
import fc from 'fast-check';
import { getEventListeners } from 'node:events';
import type { IDataObject, IExecuteSingleFunctions } from 'n8n-workflow';

import { successOf } from '../../../../nodes/WalletService/request/http/answer.ts';
import { pauseMs, retryAfterMs } from '../../../../nodes/WalletService/request/http/retry.ts';
import { withDeadline } from '../../../../nodes/WalletService/request/http/deadline.ts';
import { ServiceClient } from '../../../../nodes/WalletService/request/http/service-client.ts';
import { Run } from '../../../../nodes/WalletService/request/run/run.ts';
import { monotonicMs } from '../../../../nodes/WalletService/values/clock.ts';
import { forAll } from '../../support/for-all.mts';

test('the pause is anywhere from 0 to a bound that doubles up to 30 s', async () => {
	expect([1, 2, 3, 4].map((tries) => pauseMs(tries, 0, 1))).toEqual([500, 1000, 2000, 4000]);
	expect(pauseMs(50, 0, 1)).toBe(30_000);
	expect(pauseMs(3, 0, 0)).toBe(0);
	await forAll([fc.integer({ min: 1, max: 200 })], 100, (tries) => {
		const pause = pauseMs(tries);
		return pause >= 0 && pause <= 30_000;
	});
	const pauses = Array.from({ length: 50 }, () => pauseMs(5, 0));
	expect(new Set(pauses).size).toBeGreaterThan(1);
});

const NOW = Date.parse('Sat, 21 Nov 2026 12:00:00 GMT');
const at = (seconds: number) => new Date(NOW + seconds * 1000).toUTCString();

test.each<[name: string, value: unknown, milliseconds: number | undefined, date?: string]>([
	['seconds', '3', 3000],
	['a number', 3, 3000],
	['nothing', undefined, undefined],
	['a date ahead', at(5), 5000],
	['a past date', at(-5), 0],
	['a fraction of seconds', ' 1.5 ', 1500],
	['no pause', '0', 0],
	['more than any number', '9'.repeat(400), 120_000],
	['a date by an unreadable clock', at(5), 5000, '-1'],
	['a date by a clock an hour ahead', at(3605), 5000, at(3600)],
	['a date by a clock an hour behind', at(-3595), 5000, at(-3600)],
	['more than two minutes', '9999', 120_000],
])('Retry-After with %s', (...[, value, milliseconds, date]) => {
	expect(retryAfterMs({ 'retry-after': value, date }, NOW)).toBe(milliseconds);
});

test.each([
	...['-1', '1,5', 'soon 5', '+5', '5 s', '1e3', '0x10', '.5', '5.', '5, 5', '', 'NaN', 'Infinity'],
	...[NaN, -1, ['5'], 'soon', 'Invalid Date', '2026-11-21T12:00:05Z'],
	// Dates in the obsolete forms of RFC 850 and asctime.
	...['Saturday, 21-Nov-26 12:00:05 GMT', 'Sat Nov 21 12:00:05 2026'],
	// A date with the wrong day of the week.
	'Sun, 21 Nov 2026 12:00:05 GMT',
	...['21 Nov 2026 12:00:05 GMT', 'Sat, 21 Nov 2026 12:00:05', 'Sat, 21 Nov 2026 12:00:05 +0100'],
	...['Sat, 21 Nov 2026 25:00:05 GMT', 'Sat, 31 Nov 2026 12:00:05 GMT'],
	...['sat, 21 nov 2026 12:00:05 gmt', `${at(5)}, ${at(5)}`],
])('Retry-After: %p cannot be read, and the back-off applies', (value) => {
	const retryAfter = retryAfterMs({ 'retry-after': value }, NOW);
	expect(retryAfter).toBeUndefined();
	expect(pauseMs(2, retryAfter, 0.5)).toBe(500);
});

test('the listener of a request ends with it', async () => {
	const { signal } = new AbortController();
	const listening = () => getEventListeners(signal, 'abort').length;
	const during = withDeadline(signal, 60_000, async () => await Promise.resolve(listening()));
	expect(await during).toBe(1);
	const failing = withDeadline(signal, 60_000, async () => await Promise.reject(new Error('no')));
	await expect(failing).rejects.toThrow('no');
	expect(listening()).toBe(0);
});

describe('attempts', () => {
	beforeEach(() => {
		jest.useFakeTimers();
		jest.spyOn(Math, 'random').mockReturnValue(0.5);
	});
	afterEach(() => {
		jest.restoreAllMocks();
		jest.useRealTimers();
	});

	/** Sends a request that is always refused. Returns the pauses between the attempts, and the error of the last one. */
	async function failing(options: IDataObject, retryAfter?: string, endsAt?: number) {
		const times: number[] = [];
		const context = {
			getExecutionCancelSignal: () => undefined,
			helpers: {
				httpRequestWithAuthentication: async () => {
					times.push(monotonicMs());
					const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
					return await Promise.resolve({ statusCode: 429, headers, body: 'busy' });
				},
			},
		} as unknown as IExecuteSingleFunctions;
		const run = new Run((name) => (name === 'options' ? options : {}), {
			credentialType: 'walletServiceApi',
			endsAt,
		});
		const client = new ServiceClient(context, run);
		const request = { method: 'GET', url: '/v1/users/DISCORD-1' } as const;
		const ended = client
			.send(request, { read: (received) => successOf(received, '/v1') })
			.catch(String);
		await jest.runAllTimersAsync();
		const pauses = times.slice(1).map((time, index) => time - (times[index] ?? NaN));
		return { pauses, error: await ended };
	}

	test.each([
		[undefined, [250, 500, 1000]],
		['0', [250, 500, 1000]],
		['0.7', [700, 700, 1000]],
	])(
		'are never faster than the back-off, whatever Retry-After is (%p)',
		async (after, expected) => {
			const start = Date.now();
			const { pauses, error } = await failing({ maxTries: 4 }, after);
			expect(error).toContain('busy (tried 4 times)');
			expect(Date.now() - start).toBe(pauses.reduce((sum, pause) => sum + pause, 0));
			expect(pauses).toEqual(expected);
		},
	);

	test.each([
		['Retry For is over', { retryFor: 1 }, undefined],
		['the deadline has passed', {}, 1_000],
		['the earlier of both is over', { retryFor: 1 }, 60_000],
	])('end before %s', async (_end, options, endsIn) => {
		const endsAt = endsIn && monotonicMs() + endsIn;
		const { pauses, error } = await failing({ maxTries: 20, ...options }, undefined, endsAt);
		expect(error).toContain('busy (tried 3 times)');
		expect(pauses).toEqual([250, 500]);
	});
});
