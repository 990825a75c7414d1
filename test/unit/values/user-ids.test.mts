import { InvalidInputError } from '../../../nodes/WalletService/values/invalid-input.ts';
import { MAX_USERS, parseUserIds } from '../../../nodes/WalletService/values/user-ids.ts';

test.each([
	['one id', 'DISCORD-1', ['DISCORD-1']],
	['lines', ' DISCORD-1\r\n\nGOOGLE-2 \n', ['DISCORD-1', 'GOOGLE-2']],
	['ids with commas', 'CHESS-a,b', ['CHESS-a,b']],
	['an array', ['DISCORD-1', 'GOOGLE-2'], ['DISCORD-1', 'GOOGLE-2']],
	['a JSON array', '["CHESS-a\\nb", "GOOGLE-2"]', ['CHESS-a\nb', 'GOOGLE-2']],
	['repetitions', ['DISCORD-1', 'DISCORD-1'], ['DISCORD-1']],
	[
		'commas',
		'DISCORD-1, GOOGLE-2,EPIC_GAMES-3 ,\nCHESS-4',
		['DISCORD-1', 'GOOGLE-2', 'EPIC_GAMES-3', 'CHESS-4'],
	],
])('%s', (_name, value, expected) => {
	expect(parseUserIds(value, 'userId')).toEqual(expected);
});

test.each([
	['no user id', 'nobody', /"nobody" is not a user id/],
	['a number', [5], /5 is not a user id/],
	['JSON that is broken', '["DISCORD-1"', /is not JSON/],
	[
		'too many',
		Array.from({ length: MAX_USERS + 1 }, (_one, index) => `DISCORD-${index}`),
		/101 users are too many/,
	],
	['nobody at all', '', /No user is given/],
	['an empty list', [], /No user is given/],
	['an empty JSON list', '[]', /No user is given/],
	['an empty entry', ['DISCORD-1', ''], /The user id is empty/],
	['no text at all', undefined, /The user id is empty/],
	['a line that is none', 'DISCORD-1\nrahul', /"rahul" is not a user id/],
])('%s is refused', (_name, value, message) => {
	expect(() => parseUserIds(value, 'userId')).toThrow(InvalidInputError);
	expect(() => parseUserIds(value, 'userId')).toThrow(message);
});
