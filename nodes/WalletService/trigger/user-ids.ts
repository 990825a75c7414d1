import { InvalidInputError } from '../values/invalid-input';
import { parseJson } from '../values/json';
import { parseUserId } from '../values/user-id';

/** Most wallets of one trigger: each costs requests at every poll, and space in the state. */
export const MAX_USERS = 100;

const PARAMETER = 'userIds';

function listOf(value: unknown): unknown[] {
	if (Array.isArray(value)) return value;
	const text = typeof value === 'string' ? value.trim() : '';
	if (!text.startsWith('[')) return typeof value === 'string' ? text.split(/\r?\n/) : [value];
	const list = parseJson(text, PARAMETER);
	return Array.isArray(list) ? list : [list];
}

/**
 * The users to watch: an array (from an expression), a JSON array as text, or one ID per line. Empty entries and
 * duplicates are dropped; an empty list means the user of the credential.
 *
 * @param credentialUserId the user that the credential names, if any
 * @throws InvalidInputError for an entry that is not a user ID, for too many, and if there is none at all.
 */
export function parseUserIds(value: unknown, credentialUserId: unknown): string[] {
	const given = listOf(value).filter((entry) => typeof entry !== 'string' || entry.trim() !== '');
	const isNamed = typeof credentialUserId === 'string' && credentialUserId.trim() !== '';
	const entries = given.length === 0 && isNamed ? [credentialUserId] : given;
	const userIds = [...new Set(entries.map((entry) => parseUserId(entry, PARAMETER)))];
	if (userIds.length >= 1 && userIds.length <= MAX_USERS) return userIds;
	throw new InvalidInputError({
		parameter: PARAMETER,
		value,
		message:
			userIds.length === 0
				? 'No user is given'
				: `${userIds.length} users are more than one trigger watches`,
		hint:
			userIds.length === 0
				? 'Enter user IDs in the node, or the user that the token belongs to in the credential'
				: `Give at most ${MAX_USERS} users, and use another trigger for the others`,
	});
}
