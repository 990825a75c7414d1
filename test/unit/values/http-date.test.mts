import fc from 'fast-check';

import { parseHttpDate } from '../../../nodes/WalletService/values/http-date.ts';

const NOW = Date.UTC(2026, 10, 21);
const read = (text: string) => parseHttpDate(text, NOW);

it.each([
	['Sun, 06 Nov 1994 08:49:37 GMT', '1994-11-06T08:49:37.000Z'],
	['Sunday, 06-Nov-94 08:49:37 GMT', '1994-11-06T08:49:37.000Z'],
	['Sun Nov  6 08:49:37 1994', '1994-11-06T08:49:37.000Z'],
	['Sun Nov 16 08:49:37 1994', '1994-11-16T08:49:37.000Z'],
	['Thu, 29 Feb 2024 00:00:00 GMT', '2024-02-29T00:00:00.000Z'],
	['Sat, 31 Dec 2016 23:59:60 GMT', '2017-01-01T00:00:00.000Z'],
	['Saturday, 21-Nov-76 00:00:00 GMT', '2076-11-21T00:00:00.000Z'],
	['Monday, 21-Nov-77 00:00:00 GMT', '1977-11-21T00:00:00.000Z'],
	['Tuesday, 21-Nov-00 00:00:00 GMT', '2000-11-21T00:00:00.000Z'],
])('reads %s', (text, expected) => {
	expect(new Date(read(text) ?? NaN).toISOString()).toBe(expected);
});

it.each([
	[''],
	['-1'],
	['1,5'],
	['soon 5'],
	['2026'],
	['Thu, 29 Feb 2023 00:00:00 GMT'],
	['Sun, 00 Nov 1994 08:49:37 GMT'],
	['Sun, 6 Nov 1994 08:49:37 GMT'],
	['Sun, 06 Nov 1994 24:00:00 GMT'],
	['Sun, 06 Nov 1994 08:60:37 GMT'],
	['Sun, 06 Nov 1994 08:49:61 GMT'],
	['Sun, 06 Nov 1994 08:49:37 UTC'],
	['Sun, 06 Nov 94 08:49:37 GMT'],
	['Sun, 06-Nov-94 08:49:37 GMT'],
	['Sunday, 06 Nov 1994 08:49:37 GMT'],
	['Sun Nov 6 08:49:37 1994'],
	['Sun Nov  6 08:49:37 1994 GMT'],
	['Som, 06 Nov 1994 08:49:37 GMT'],
	['Sun, 06 Now 1994 08:49:37 GMT'],
	[' Sun, 06 Nov 1994 08:49:37 GMT'],
	['Sun, 06 Nov 1994 08:49:37 GMT '],
])('does not read %p', (text) => {
	expect(read(text)).toBeUndefined();
});

it('reads every date that a server writes', () => {
	fc.assert(
		fc.property(
			fc.date({
				min: new Date(0),
				max: new Date(Date.UTC(9999, 0)),
				noInvalidDate: true,
			}),
			(date) => {
				const seconds = Math.floor(date.getTime() / 1000) * 1000;
				expect(read(date.toUTCString())).toBe(seconds);
			},
		),
	);
});
