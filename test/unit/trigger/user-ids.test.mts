import { InvalidInputError } from '../../../nodes/WalletService/values/invalid-input.ts';
import { MAX_USERS, parseUserIds } from '../../../nodes/WalletService/trigger/user-ids.ts';

test.each([
	['one id', 'DISCORD-1', ['DISCORD-1']],
	['lines', ' DISCORD-1\r\n\nGOOGLE-2 \n', ['DISCORD-1', 'GOOGLE-2']],
	['ids with commas', 'CHESS-a,b', ['CHESS-a,b']],
	['an array', ['DISCORD-1', 'GOOGLE-2'], ['DISCORD-1', 'GOOGLE-2']],
	['a JSON array', '["CHESS-a\\nb", "GOOGLE-2"]', ['CHESS-a\nb', 'GOOGLE-2']],
	['repetitions', ['DISCORD-1', 'DISCORD-1'], ['DISCORD-1']],
	['nothing', '', ['OWN-1']],
	['an empty array', [], ['OWN-1']],
])('%s', (_name, value, expected) => {
	expect(parseUserIds(value, 'OWN-1')).toEqual(expected);
});

test.each([
	['no user id', 'nobody', /"nobody" is not a user id/],
	['a number', [5], /5 is not a user id/],
	['JSON that is broken', '["DISCORD-1"', /is not JSON/],
	[
		'too many',
		Array.from({ length: MAX_USERS + 1 }, (_one, index) => `DISCORD-${index}`),
		/more than one trigger watches/,
	],
	['nobody at all', '', /No user is given/],
])('%s is refused', (_name, value, message) => {
	expect(() => parseUserIds(value, '')).toThrow(InvalidInputError);
	expect(() => parseUserIds(value, '')).toThrow(message);
});
