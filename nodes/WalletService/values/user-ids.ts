import { InvalidInputError } from './invalid-input';
import { parseJson } from './json';
import { parseUserId } from './user-id';

/** Users that one item asks for, or one trigger watches, at most: every one costs requests. */
export const MAX_USERS = 100;

/** A provider's own id can hold commas: one that parts two ids has the provider of the next one behind it. */
const SEPARATOR = /\r?\n|,(?=\s*[A-Z0-9_]+-)/;

function listOf(value: unknown, parameter: string): unknown[] {
	if (Array.isArray(value)) return value;
	if (typeof value !== 'string') return [value];
	const text = value.trim();
	if (!text.startsWith('[')) return text.split(SEPARATOR).filter((entry) => entry.trim() !== '');
	const list = parseJson(text, parameter);
	return Array.isArray(list) ? list : [list];
}

/**
 * User ids, each once: an array (from an expression), a JSON array as text, or one id per line, also with commas between them.
 *
 * @throws InvalidInputError for an entry that is no user id, for too many, and when there is none at all.
 * @example parseUserIds('DISCORD-1, GOOGLE-2', 'userId') // ['DISCORD-1', 'GOOGLE-2']
 */
export function parseUserIds(value: unknown, parameter: string): string[] {
	const entries = listOf(value, parameter);
	const userIds = [...new Set(entries.map((entry) => parseUserId(entry, parameter)))];
	if (userIds.length >= 1 && userIds.length <= MAX_USERS) return userIds;
	throw new InvalidInputError({
		parameter,
		value,
		message: userIds.length === 0 ? 'No user is given' : `${userIds.length} users are too many`,
		hint:
			userIds.length === 0
				? 'Enter a user ID in the node, or the user that the token belongs to in the credential'
				: `Give at most ${MAX_USERS} users, and the others in another item or node`,
	});
}

/**
 * Whether nobody is named: then the user of the credential is meant.
 *
 * @example isLeftEmpty(' ') // true
 */
export function isLeftEmpty(value: unknown): boolean {
	return typeof value === 'string' && value.trim() === '';
}
