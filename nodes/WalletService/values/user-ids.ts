import { InvalidInputError } from './invalid-input';
import { parseJson } from './json';
import { quote } from './quote';
import { parseUserId } from './user-id';

/** Users that one item asks for, or one trigger watches, at most: every one costs requests. */
export const MAX_USERS = 100;

/** What may part two ids: a provider's own id can hold commas and spaces as well. */
const GAP = /([\s,;]+)/;
const PROVIDER = /^[A-Z][A-Z0-9_]*-/;
const PROVIDER_IN_ANY_CASE = /^[A-Za-z]\w*-/;

/**
 * Whether a gap parts two ids. One without a line break has the provider of the next id behind it, behind a comma also in
 * lower case, which is then refused by name.
 */
function isSeparator(gap: string, next: string): boolean {
	if (gap.includes('\n')) return true;
	return (/[,;]/.test(gap) ? PROVIDER_IN_ANY_CASE : PROVIDER).test(next);
}

/**
 * The entries of a text that names several users, unchecked.
 *
 * @example splitUserIds('DISCORD-1, GOOGLE-2') // ['DISCORD-1', 'GOOGLE-2']
 */
export function splitUserIds(text: string): string[] {
	const [first = '', ...rest] = text.split(GAP);
	const entries = [first];
	for (let index = 0; index < rest.length; index += 2) {
		const [gap = '', next = ''] = rest.slice(index, index + 2);
		if (isSeparator(gap, next)) entries.push(next);
		else entries.push(`${entries.pop()}${gap}${next}`);
	}
	return entries.map((entry) => entry.trim()).filter((entry) => entry !== '');
}

function listOf(value: unknown, parameter: string): unknown[] {
	if (Array.isArray(value)) return value;
	if (typeof value !== 'string') return [value];
	const text = value.trim();
	if (!text.startsWith('[')) return splitUserIds(text);
	const list = parseJson(text, parameter);
	return Array.isArray(list) ? list : [list];
}

/**
 * User ids, each once: an array (from an expression), a JSON array as text, or one id per line, also with commas or spaces
 * between them.
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
 * Refuses several users where one is asked for.
 *
 * @throws InvalidInputError
 * @example assertOneUser('DISCORD-1', 'recipient') // undefined
 */
export function assertOneUser(value: unknown, parameter: string): void {
	const isText = typeof value === 'string';
	const isList = Array.isArray(value) || (isText && value.trim().startsWith('['));
	const count = isText ? splitUserIds(value).length : 1;
	if (!isList && count <= 1) return;
	throw new InvalidInputError({
		parameter,
		value,
		message: `${quote(value)} is a list`,
		hint: 'Give one user per item. The node Split Out makes an item of each entry of a list',
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

/**
 * The users that a parameter names, or the credential's when it is left empty.
 *
 * @param ofCredential the field of the credential
 * @throws InvalidInputError
 * @example usersOf(' ', 'DISCORD-1', 'userId') // ['DISCORD-1']
 */
export function usersOf(given: unknown, ofCredential: unknown, parameter: string): string[] {
	const hasOwn = typeof ofCredential === 'string' && !isLeftEmpty(ofCredential);
	if (!isLeftEmpty(given) || !hasOwn) return parseUserIds(given, parameter);
	assertOneUser(ofCredential, parameter);
	return [parseUserId(ofCredential, parameter)];
}
