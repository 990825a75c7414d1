import { notSentAgain } from '../../../nodes/WalletService/resources/writing/replays.ts';

const MINUTE = 60_000;

test.each([
	['just now', { sentAtMs: Date.now() }],
	['1 minute ago', { sentAtMs: Date.now() - 1.5 * MINUTE }],
	['119 minutes ago', { sentAtMs: Date.now() - 119.5 * MINUTE }],
	['2 hours ago', { submittedAt: new Date(Date.now() - 120.5 * MINUTE).toISOString() }],
])('a write that was sent %s', (words, sent) => {
	const expected = `Not sent again, already sent ${words} by execution 7`;
	expect(notSentAgain({ submittedAt: '', ...sent }, '7')).toBe(expected);
});

test('nothing is said of a time that is not known', () => {
	for (const sentAtMs of [undefined, NaN]) {
		const expected = 'Not sent again, already sent by execution 7';
		expect(notSentAgain({ submittedAt: '', sentAtMs }, '7')).toBe(expected);
	}
});
