import fc from 'fast-check';

import { InvalidInputError } from '../../../nodes/WalletService/values/invalid-input.ts';
import { parseTime } from '../../../nodes/WalletService/values/time.ts';

const read = (value: unknown, zone = 'UTC'): string =>
	new Date(parseTime(value, { zone, parameter: 'since' })).toISOString();

test.each([
	['2026-11-21T13:28:22.123Z', 'UTC', '2026-11-21T13:28:22.123Z'],
	['2026-11-21T13:28:22Z', 'Asia/Tokyo', '2026-11-21T13:28:22.000Z'],
	['2026-11-21T13:28:22.000+01:00', 'UTC', '2026-11-21T12:28:22.000Z'],
	['2026-11-21T13:28-0500', 'UTC', '2026-11-21T18:28:00.000Z'],
	['2026-11-21T13:28:22', 'Europe/Berlin', '2026-11-21T12:28:22.000Z'],
	['2026-07-21 13:28:22', 'Europe/Berlin', '2026-07-21T11:28:22.000Z'],
	['2026-11-21', 'America/New_York', '2026-11-21T05:00:00.000Z'],
	['2026-03-08T01:59:59', 'America/New_York', '2026-03-08T06:59:59.000Z'],
	['2026-03-08T03:00:00', 'America/New_York', '2026-03-08T07:00:00.000Z'],
	['2026-11-01T00:59:59', 'America/New_York', '2026-11-01T04:59:59.000Z'],
	['2026-11-01T02:00:00', 'America/New_York', '2026-11-01T07:00:00.000Z'],
	['2026-11-21T00:00:00.5', 'Asia/Kolkata', '2026-11-20T18:30:00.500Z'],
])('%s in %s is %s', (text, zone, expected) => {
	expect(read(text, zone)).toBe(expected);
});

test('a date, and a DateTime of an expression, are the moment that they stand for', () => {
	const time = 1_795_267_702_123;
	const expected = new Date(time).toISOString();
	expect(read(new Date(time), 'Asia/Tokyo')).toBe(expected);
	expect(read({ toMillis: () => time, valueOf: () => time }, 'Asia/Tokyo')).toBe(expected);
});

test('what the clocks of a zone show is found again', () => {
	const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland'];
	fc.assert(
		fc.property(
			fc.integer({ min: 0, max: 4_102_444_800_000 }),
			fc.constantFrom(...zones),
			(time, zone) => {
				const shown = new Date(time).toLocaleString('sv-SE', { timeZone: zone });
				const found = new Date(read(shown, zone)).toLocaleString('sv-SE', { timeZone: zone });
				expect(found).toBe(shown);
			},
		),
	);
});

test.each([
	...['yesterday', '', '21.11.2026', '2026-02-30T00:00:00Z', '2026-13-01', '2026-11-21T25:00:00Z'],
	...['1795267702', '2026-11-21T13:28:22Z; drop', 1_795_267_702_123, true, null, undefined, {}, []],
	...[new Date(NaN)],
])('%j is refused', (value) => {
	expect(() => read(value)).toThrow(InvalidInputError);
});
