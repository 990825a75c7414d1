/** User IDs: one, or several in every form that people paste. */
import { InvalidInputError } from '../../../nodes/WalletService/values/invalid-input.ts';
import {
	assertOneUser,
	isUserId,
	MAX_USERS,
	parseUserId,
	parseUserIds,
	shownUserId,
	usersOf,
} from '../../../nodes/WalletService/values/user-id.ts';
import { refusalOf } from '../support/refusal.mts';

test.each([
	...['DISCORD-80351110224678912', 'EPIC_GAMES-a-b-c', 'CHESS-anna/k b%2F@é'],
	...['WEB3-..', 'TWITTER-\u{1F600}', 'X-y\nz'],
])('%j is a user ID', (userId) => {
	expect(parseUserId(userId, 'userId')).toBe(userId);
	expect(parseUserId(` ${userId}\n`, 'userId')).toBe(userId);
	expect(isUserId(userId)).toBe(true);
});

test.each([
	...['', ' ', '.', '..', 'DISCORD', 'DISCORD-', '-1', 'discord-1', 'Discord-1', 'DIS CORD-1'],
	...['https://evil.example/USER-1', 'HTTPS://EVIL-1', '//evil-1', '../X-1', 'X-\ud800'],
	...[null, undefined, 12, {}],
])('%j is not a user ID', (value) => {
	expect(refusalOf(() => parseUserId(value, 'userId')).parameter).toBe('userId');
	expect(isUserId(value)).toBe(false);
});

const MANY = Array.from({ length: MAX_USERS }, (_, index) => `X-${index}`);

test.each([
	['one ID', 'DISCORD-1', ['DISCORD-1']],
	['lines', ' DISCORD-1\r\n\nGOOGLE-2 \n', ['DISCORD-1', 'GOOGLE-2']],
	['IDs with commas', 'CHESS-a,b', ['CHESS-a,b']],
	['an array', ['DISCORD-1', 'GOOGLE-2'], ['DISCORD-1', 'GOOGLE-2']],
	['a JSON array', '["CHESS-a\\nb", "GOOGLE-2"]', ['CHESS-a\nb', 'GOOGLE-2']],
	['repetitions', ['DISCORD-1', 'DISCORD-1'], ['DISCORD-1']],
	['commas', 'DISCORD-1, GOOGLE-2,X_Y-3 ,\nX-4', ['DISCORD-1', 'GOOGLE-2', 'X_Y-3', 'X-4']],
	['spaces and semicolons', ' X-1 GOOGLE-2;CHESS-3 ; X-4', ['X-1', 'GOOGLE-2', 'CHESS-3', 'X-4']],
	['separators in a row', 'X-1,, X-2,\n;\tX-3 ,', ['X-1', 'X-2', 'X-3']],
	['separators at the end', 'DISCORD-1, DISCORD-2,', ['DISCORD-1', 'DISCORD-2']],
	['semicolons at the ends of lines', 'DISCORD-1;\r\nDISCORD-2;\r\n', ['DISCORD-1', 'DISCORD-2']],
	['one ID and a separator', ' DISCORD-1 ; ', ['DISCORD-1']],
	['separators at the beginning', ',\n; DISCORD-1\n, CHESS-a,b ,', ['DISCORD-1', 'CHESS-a,b']],
	['old line ends', 'DISCORD-1\rrahul-2\r'.toUpperCase(), ['DISCORD-1', 'RAHUL-2']],
	['a separator at the end of an entry of a list', ['CHESS-a,', 'X-2'], ['CHESS-a,', 'X-2']],
	[
		'wide separators',
		'X-1，GOOGLE-2、 CHESS-a，b； X-4、',
		['X-1', 'GOOGLE-2', 'CHESS-a，b', 'X-4'],
	],
	[
		'bullets',
		' - DISCORD-1\n- GOOGLE-2\r\n* X-3\n• X-4 - b',
		['DISCORD-1', 'GOOGLE-2', 'X-3', 'X-4 - b'],
	],
	['numbers', '1. DISCORD-1\n12) GOOGLE-2', ['DISCORD-1', 'GOOGLE-2']],
	[
		'quotes',
		`"DISCORD-1","CHESS-a, b";\n'X-"3"'\t"X-4"`,
		['DISCORD-1', 'CHESS-a, b', 'X-"3"', 'X-4'],
	],
	['IDs with spaces', 'CHESS-anna k-b, X-2', ['CHESS-anna k-b', 'X-2']],
	['as many as allowed', MANY, MANY],
])('%s', (_name, value, expected) => {
	expect(parseUserIds(value, 'userId')).toEqual(expected);
});

test.each([
	['no user ID', 'nobody', /"nobody" is not a user ID/],
	['broken JSON', '["DISCORD-1"', /is not JSON/],
	['too many', [...MANY, 'Y-1'], /101 users are too many/],
	['nobody', '', /No user is set/],
	['an empty list', [], /No user is set/],
	['an empty JSON list', '[]', /No user is set/],
	['an empty entry', ['DISCORD-1', ''], /The user ID is empty/],
	['a number', [5], /5 is not a user ID/],
	['nothing', undefined, /The user ID is empty/],
	['lower case', 'DISCORD-1, google-2', /"google-2" is not a user ID/],
	['an invalid line', 'DISCORD-1\nrahul', /"rahul" is not a user ID/],
	['an invalid line of an old file', 'DISCORD-1\rrahul', /"rahul" is not a user ID/],
	['an address', `DISCORD-1, 0x${'ab'.repeat(20)}`, /^"0xabab\w+" is not a user ID/],
	['an invalid first entry', ', rahul, DISCORD-1', /"rahul" is not a user ID/],
	['only separators', ' , ;\n', /No user is set/],
])('%s is refused', (_name, value, message) => {
	expect(refusalOf(() => parseUserIds(value, 'userId')).message).toMatch(message);
});

test.each([
	['google-2', 'Write GOOGLE-2'],
	[' google - 2 ', 'Write GOOGLE-2'],
	['Epic_Games-a-b', 'Write EPIC_GAMES-a-b'],
	['DISCORD -1', 'Write DISCORD-1'],
	['DISCORD\u2013a\u2013b', 'Write DISCORD-a\u2013b'],
	['DISCORD \u2011 1', 'Write DISCORD-1'],
	['rahul', 'A user ID looks like'],
	['https://evil.example/x-1', 'A user ID looks like'],
])('%j: %s', (value, hint) => {
	expect(refusalOf(() => parseUserIds(value, 'userId')).hint).toContain(hint);
});

test.each([
	`DISCORD-1, 0x${'ab'.repeat(20)}`,
	'DISCORD-1, GOOGLE-2',
	'DISCORD-1\nGOOGLE-2',
	'X-1 GOOGLE-2',
	'DISCORD-1, google-2',
	`Anna 0x${'ab'.repeat(20)}, Rahul 0x${'cd'.repeat(20)}`,
	'["X-1"]',
	['X-1'],
])('%j are several users', (value) => {
	const { hint } = refusalOf(() => assertOneUser(value, 'recipient'));
	expect(hint).toContain('one user per item');
});

test.each([
	...[
		`Anna 0x${'ab'.repeat(20)}`,
		`Anna-Maria, 0x${'ab'.repeat(20)}`,
		`0x${'ab'.repeat(20)}\nAnna`,
	].map((value) => [value, 'address'] as const),
	...['Anna DISCORD-1', 'rahul, CHESS-a'].map((value) => [value, 'user ID'] as const),
])('%j is one %s with a name', (value, what) => {
	const { message, hint } = refusalOf(() => assertOneUser(value, 'recipient'));
	expect(message).toContain(` contains text besides the ${what}`);
	expect(hint).toBe(`Enter one ${what}, without the name`);
});

test.each(['DISCORD-1', ' CHESS-a,b ', '', '0x12', 5])('%j is not several users', (value) => {
	expect(assertOneUser(value, 'recipient')).toBeUndefined();
});

test.each([
	['DISCORD-1', 'DISCORD-1'],
	['CHESS-anna k/b%2F@é', 'CHESS-anna k/b%2F@é'],
	['DISCORD-2,', '"DISCORD-2,"'],
	['CHESS-a, 5 SUSD to CHESS-b', '"CHESS-a, 5 SUSD to CHESS-b"'],
	['CHESS-a.', '"CHESS-a."'],
	['DISCORD-1\u200b', '"DISCORD-1\\u200b"'],
	['X-\u202e1', '"X-\\u202e1"'],
	['X-y\nz', '"X-y\\u000az"'],
	['X-a  b', '"X-a  b"'],
])('in an error, %j is %s', (userId, shown) => {
	expect(shownUserId(userId)).toBe(shown);
});

test('the user of the credential is used only if no user is given', async () => {
	const users = async (given: unknown, userId: unknown) =>
		await usersOf(given, () => ({ userId }), 'userId');
	expect(await users(' ', ' DISCORD-1 ')).toEqual(['DISCORD-1']);
	const unread = () => {
		throw new Error('The credential is read');
	};
	expect(await usersOf('X-2, X-3', unread, 'userId')).toEqual(['X-2', 'X-3']);
	for (const own of ['', undefined, 'X-1, X-2']) {
		await expect(users('', own)).rejects.toThrow(InvalidInputError);
	}
	for (const given of [[], [''], null]) {
		await expect(users(given, 'DISCORD-1')).rejects.toThrow(InvalidInputError);
	}
});
