import { addressesIn, isMeantAsAddress, shortAddress } from './address';
import type { Field } from './invalid-input';
import { refuse } from './invalid-input';
import { parseJson } from './json';
import { foreignWords, quote } from './quote';

/** Provider, a hyphen, then anything: the provider's own ID may contain hyphens, slashes and line breaks. */
const USER_ID = /^[A-Z0-9_]+-[^]/;
/** Half of a surrogate pair. UTF-8 cannot represent it, so neither a path nor the chain can contain it. */
export const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Whether a value is a user ID of the service: `<PROVIDER>-<ID at that provider>` (interface, section 2.1), split at the
 * first hyphen.
 *
 * @example isUserId('EPIC_GAMES-a-b') // true
 */
export function isUserId(value: unknown): value is string {
	return typeof value === 'string' && USER_ID.test(value) && !LONE_SURROGATE.test(value);
}

/** Shortens a user ID to its provider and last characters, by which a person can recognize it next to a name. */
function shortUserId(userId: string): string {
	const start = userId.indexOf('-') + 1;
	const isShort = userId.length - start <= 8;
	return isShort ? userId : `${userId.slice(0, start)}…${userId.slice(-4)}`;
}

/**
 * Formats a user ID for a sentence: in quotes if it could pass for the node's own text, or hides a character.
 *
 * @example shownUserId('DISCORD-2,') // '"DISCORD-2,"'
 */
export function shownUserId(userId: string): string {
	return foreignWords(userId) === userId ? userId : quote(userId);
}

/**
 * A hint for an invalid user ID: its correction, if upper case and no spaces around the hyphen make it valid.
 *
 * @example hintForUserId('google-2') // 'Write GOOGLE-2'
 */
export function hintForUserId(value: unknown): string {
	// Word processors replace the hyphen by a dash, which looks the same.
	const text = typeof value === 'string' ? value.trim().replace(/[\u2010-\u2015\u2212]/, '-') : '';
	const [provider = '', ...rest] = text.split('-');
	const corrected = `${provider.trimEnd().toUpperCase()}-${rest.join('-').trimStart()}`;
	return corrected !== value && corrected.length <= 100 && isUserId(corrected)
		? `Write ${corrected}`
		: 'A user ID looks like DISCORD-100200300400500600; names do not work';
}

/**
 * Checks a user ID and drops surrounding white space.
 *
 * @param parameter the node parameter that holds the user ID, for errors
 * @throws InvalidInputError that names `parameter`, for anything but `<PROVIDER>-<id>`, including an empty string, `.`, `..`
 * and an absolute URL, which would direct the request elsewhere.
 * @example parseUserId(' EPIC_GAMES-a-b ', 'userId') // 'EPIC_GAMES-a-b'
 */
export function parseUserId(value: unknown, parameter: Field): string {
	const userId = typeof value === 'string' ? value.trim() : value;
	if (isUserId(userId)) return userId;
	const isEmpty = userId === '' || userId === undefined || userId === null;
	const problem = isEmpty ? 'The user ID is empty' : `${quote(value)} is not a user ID`;
	return refuse(parameter, problem, hintForUserId(value));
}

/**
 * The text of one user or address, without the separators that a copied list leaves behind it.
 *
 * @example withoutSeparators(' DISCORD-2,') // 'DISCORD-2'
 */
export function withoutSeparators(text: string): string {
	return text.trim().replace(/(?<![\s,;，、；])[\s,;，、；]+$/, '');
}

/**
 * Checks a user ID, or a wallet address.
 *
 * @param parseWallet checks the address
 * @throws InvalidInputError that names `parameter`.
 * @example parseUserOrWallet(' DISCORD-1 ', 'recipient', parseAddress) // 'DISCORD-1'
 */
export function parseUserOrWallet(
	value: unknown,
	parameter: string,
	parseWallet: (given: string, parameter: string) => string,
): string {
	const given = typeof value === 'string' ? withoutSeparators(value) : '';
	if (isUserId(given)) return given;
	if (/^https?:/i.test(given) || isMeantAsAddress(given)) return parseWallet(given, parameter);
	const problem = `${quote(value)} is neither a user ID nor a wallet address`;
	return refuse(parameter, problem, `${hintForUserId(value)}. A wallet address also works`);
}

/** Maximum number of users per item or trigger, because each user costs requests. */
export const MAX_USERS = 100;

/** Separators between two IDs, and bullets before one; a provider's own ID can also contain commas and spaces. */
const GAP = /((?:[\s,;，、；]+|^)(?:(?:[-*•]|\d+[.)])\s+)?)/;
const START = /^(?:["']?[A-Z][A-Z0-9_]*-|0x[\dA-Fa-f]{40}$)/;
const START_IN_ANY_CASE = /^(?:["']?[A-Za-z]\w*-|0x[\dA-Fa-f]{40}$)/;
const QUOTED = /^(["'])([^]*)\1$/;

/**
 * Splits text into its user IDs, without checking them.
 *
 * @example splitUserIds('DISCORD-1, GOOGLE-2') // ['DISCORD-1', 'GOOGLE-2']
 */
export function splitUserIds(text: string): string[] {
	const [first = '', ...rest] = text.split(GAP);
	const entries = [first];
	for (let index = 0; index < rest.length; index += 2) {
		const [gap = '', next = ''] = rest.slice(index, index + 2);
		// Within a line, an entry must begin with a provider or be an address; after a comma in any case, to be named in errors.
		const start = /[,;，、；]/.test(gap) ? START_IN_ANY_CASE : START;
		const isApart = /[\n\r]/.test(gap) || next === '' || entries.at(-1) === '';
		if (isApart || start.test(next)) entries.push(next);
		else entries.push(`${entries.pop()}${gap}${next}`);
	}
	return entries.map((entry) => entry.trim().replace(QUOTED, '$2')).filter((entry) => entry !== '');
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
 * Reads user IDs, without duplicates, from an array, a JSON array as text, or text with line breaks, commas or spaces
 * between the IDs.
 *
 * @throws InvalidInputError for an invalid entry, too many entries, or no entry.
 * @example parseUserIds('DISCORD-1, GOOGLE-2', 'userId') // ['DISCORD-1', 'GOOGLE-2']
 */
export function parseUserIds(value: unknown, parameter: string): string[] {
	const entries = listOf(value, parameter);
	const userIds = [...new Set(entries.map((entry) => parseUserId(entry, parameter)))];
	if (userIds.length === 0) {
		const hint = 'Enter a user ID in the node or in the credential';
		refuse(parameter, 'No user is set', hint);
	}
	if (userIds.length > MAX_USERS) {
		const hint = `Enter at most ${MAX_USERS} users; use another item or node for the others`;
		refuse(parameter, `${userIds.length} users are too many`, hint);
	}
	return userIds;
}

/** A user ID in any case, unlike a name: names have no digits. */
const LIKE_ID = /^\w+-\S*\d/;

/**
 * Refuses several users where one is expected, and one user with a name.
 *
 * @throws InvalidInputError
 * @example assertOneUser('DISCORD-1', 'recipient') // undefined
 */
export function assertOneUser(value: unknown, parameter: Field): void {
	const isText = typeof value === 'string';
	const isList = Array.isArray(value) || (isText && value.trim().startsWith('['));
	const entries = isText ? splitUserIds(value) : [];
	if (!isList && entries.length <= 1) return;
	const wallets = isText ? addressesIn(value).length : 0;
	const isId = (entry: string): boolean => isUserId(entry) || LIKE_ID.test(entry);
	const ids = entries.filter((entry) => isId(entry) && addressesIn(entry).length === 0).length;
	if (!isList && wallets + ids === 1) {
		const what = wallets === 1 ? 'address' : 'user ID';
		const problem = `${quote(value)} contains text besides the ${what}`;
		refuse(parameter, problem, `Enter one ${what}, without the name`);
	}
	const hint =
		'Enter one user per item. The Split Out node turns each entry of a list into an item';
	refuse(parameter, `${quote(value)} is a list`, hint);
}

/** Whether a User ID is empty, which means the user of the credential. @example isLeftEmpty(' ') // true */
export function isLeftEmpty(value: unknown): boolean {
	return typeof value === 'string' && value.trim() === '';
}

/**
 * Reads the users of a parameter. If it is empty, reads the credential and returns its user.
 *
 * @throws InvalidInputError, or any error of `readCredential`
 * @example await usersOf(' ', () => ({ userId: 'DISCORD-1' }), 'userId') // ['DISCORD-1']
 */
export async function usersOf(
	given: unknown,
	readCredential: () => { readonly userId?: unknown } | Promise<{ readonly userId?: unknown }>,
	parameter: string,
): Promise<string[]> {
	const own = isLeftEmpty(given) ? (await readCredential()).userId : undefined;
	if (typeof own !== 'string' || isLeftEmpty(own)) return parseUserIds(given, parameter);
	assertOneUser(own, parameter);
	return [parseUserId(own, parameter)];
}

/**
 * A user with a shortened wallet address, and with a shortened user ID if there is a name; or the full address.
 *
 * @example userInWords('GOOGLE-2', '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', 'Rahul') // 'Rahul (GOOGLE-2, 0xd8dA…6045)'
 */
export function userInWords(userId: string, wallet: string, name?: string): string {
	if (userId === wallet) return wallet;
	const id = shownUserId(userId);
	if (name === undefined) return `${id} (${shortAddress(wallet)})`;
	return `${name} (${id === userId ? shortUserId(userId) : id}, ${shortAddress(wallet)})`;
}
