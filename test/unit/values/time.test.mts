/** Times: without a zone, they are read as UTC on every machine. */
import { join } from 'node:path';
import { execa } from 'execa';

import {
	givenEntries,
	readEntry,
	transferItem,
} from '../../../nodes/WalletService/resources/history/transfer.ts';
import { InvalidInputError } from '../../../nodes/WalletService/values/invalid-input.ts';
import { momentOf, parseTime } from '../../../nodes/WalletService/values/clock.ts';
import { root } from '../../../tools/files/paths.mts';

const read = (value: unknown): string => new Date(parseTime(value, 'since')).toISOString();

test.each([
	['2026-11-21T13:28:22.123Z', '2026-11-21T13:28:22.123Z'],
	['2026-11-21t13:28:22z', '2026-11-21T13:28:22.000Z'],
	['2026-11-21T13:28:22.000+01:00', '2026-11-21T12:28:22.000Z'],
	['2026-11-21T13:28-0500', '2026-11-21T18:28:00.000Z'],
	['2026-11-21T13:28:22', '2026-11-21T13:28:22.000Z'],
	['2026-07-21 13:28:22.5', '2026-07-21T13:28:22.500Z'],
	['2026-11-21', '2026-11-21T00:00:00.000Z'],
	// PostgreSQL, Python and R write hours alone; the basic form and the comma are of ISO 8601, sections 5.3 and 5.4.
	...['2026-11-21T13:28:22+00', '2026-11-21 13:28:22 +00', '2026-11-21T14:28:22+01'].map(
		(text): [string, string] => [text, '2026-11-21T13:28:22.000Z'],
	),
	...['20261121T132822Z', '20261121T132822+0000', '20261121t132822z', '20261121T132822'].map(
		(text): [string, string] => [text, '2026-11-21T13:28:22.000Z'],
	),
	['20261121T132822.5Z', '2026-11-21T13:28:22.500Z'],
	['20261121T132822,123456+00', '2026-11-21T13:28:22.123Z'],
	['20261121 072822.5-0600', '2026-11-21T13:28:22.500Z'],
	['2026-11-21T132822Z', '2026-11-21T13:28:22.000Z'],
	['20261121T1328-05', '2026-11-21T18:28:00.000Z'],
	['2026-11-21T13:28:22,5+05:30', '2026-11-21T07:58:22.500Z'],
	['20261121T132822-03:30', '2026-11-21T16:58:22.000Z'],
	// In New York, the first time does not exist and the second occurs twice.
	['2026-03-08T02:30:00', '2026-03-08T02:30:00.000Z'],
	['2026-11-01T01:30:00', '2026-11-01T01:30:00.000Z'],
])('%s is %s', (text, expected) => {
	expect(read(text)).toBe(expected);
	expect(momentOf(text)).toBe(Date.parse(expected));
});

test('a time without a zone in a history is UTC as well', () => {
	const to = { address: `0x${'b2'.repeat(20)}` };
	const amount = { valueBn: { type: 'BigNumber', hex: '0x01' }, decimals: 6 };
	const [transfer] = givenEntries([{ to, amount, timestamp: '2026-11-21T13:28:22.000' }]).map(
		readEntry,
	);
	if (transfer === undefined) throw new Error('No transfer');
	expect(transfer.time).toBe(Date.UTC(2026, 10, 21, 13, 28, 22));
	// If the time had no zone, a later node would read it in the workflow's zone.
	expect(transferItem(transfer, 'A-1', '').timestamp).toBe('2026-11-21T13:28:22.000Z');
});

test.each(['America/New_York', 'Asia/Tokyo'])(
	'on a machine in %s, this is the same',
	async (TZ) => {
		const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
		const others = ['--testPathPatterns', 'values/time.test', '-t', '^(?!on a machine)'];
		const args = [jest, '--selectProjects', 'unit', ...others];
		const { stderr } = await execa(process.execPath, args, { cwd: root, env: { TZ } });
		expect(stderr).toMatch(/Tests: +2 skipped, \d\d passed/);
	},
);

test.each([
	...['yesterday', '', '21.11.2026', '2026-02-30T00:00:00Z', '2026-13-01', '2026-11-21T25:00:00Z'],
	...[
		'20261121',
		'20261121Z',
		'2026-1121',
		'2026-11-21-05',
		'20261321T132822Z',
		'20260230T000000Z',
	],
	...['20261121T13:2822', '20261121T132822+24', '20261121T132822+0', '20261121T'],
	...['1795267702', '2026-11-21T13:28:22Z; drop', 1_795_267_702_123, true, null, undefined, {}, []],
	...[new Date(NaN)],
])('%j is refused', (value) => {
	expect(() => read(value)).toThrow(InvalidInputError);
});
