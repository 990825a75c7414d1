import fc from 'fast-check';

import { backOffMs, retryAfterMs } from '../../../nodes/WalletService/request/back-off.ts';

test('the pause is anywhere from 0 to a bound that doubles up to 30 s', () => {
	expect([1, 2, 3, 4].map((tries) => backOffMs(tries, 1))).toEqual([500, 1000, 2000, 4000]);
	expect(backOffMs(50, 1)).toBe(30_000);
	expect(backOffMs(3, 0)).toBe(0);
	fc.assert(
		fc.property(fc.integer({ min: 1, max: 200 }), (tries) => {
			const pause = backOffMs(tries);
			return pause >= 0 && pause <= 30_000;
		}),
	);
});

const NOW = Date.parse('Sat, 21 Nov 2026 12:00:00 GMT');
const at = (seconds: number) => new Date(NOW + seconds * 1000).toUTCString();

test.each([
	['seconds', { 'retry-after': '3' }, 3000],
	['a number', { 'retry-after': 3 }, 3000],
	['nothing', {}, undefined],
	['nonsense', { 'retry-after': 'soon' }, undefined],
	['a date ahead', { 'retry-after': at(5) }, 5000],
	['a date gone by', { 'retry-after': at(-5) }, 0],
	['a date by a clock an hour ahead', { 'retry-after': at(3605), date: at(3600) }, 5000],
	['a date by a clock an hour behind', { 'retry-after': at(-3595), date: at(-3600) }, 5000],
	['more than two minutes', { 'retry-after': '9999' }, 120_000],
])('Retry-After with %s', (_name, headers, milliseconds) => {
	expect(retryAfterMs(headers, NOW)).toBe(milliseconds);
});
