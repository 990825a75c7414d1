import { InvalidInputError } from './invalid-input';
import { quote } from './quote';

/** Provider, a hyphen, then anything: the provider's own ID may contain hyphens, slashes and line breaks. */
const USER_ID = /^[A-Z0-9_]+-[^]+$/;
/** Half of a surrogate pair, which cannot be encoded in a path. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Whether a value is a user ID of the service: `<PROVIDER>-<ID at that provider>` (interface, section 2.1), split at the
 * first hyphen.
 *
 * @example isUserId('EPIC_GAMES-a-b') // true
 */
export function isUserId(value: unknown): value is string {
	return typeof value === 'string' && USER_ID.test(value) && !LONE_SURROGATE.test(value);
}

/** What was probably meant: the provider in upper case, and no spaces around the hyphen. */
function correctionOf(value: unknown): string | undefined {
	if (typeof value !== 'string') return undefined;
	const [provider = '', ...rest] = value.trim().split('-');
	const corrected = `${provider.trimEnd().toUpperCase()}-${rest.join('-').trimStart()}`;
	return corrected !== value && isUserId(corrected) ? corrected : undefined;
}

/**
 * How to correct what is no user ID.
 *
 * @example hintForUserId('google-2') // 'Write GOOGLE-2'
 */
export function hintForUserId(value: unknown): string {
	const corrected = correctionOf(value);
	return corrected === undefined
		? 'Give the provider in upper case, a hyphen, and the id there, for example DISCORD-80351110224678912'
		: `Write ${corrected}`;
}

/**
 * Checks a user ID and drops surrounding white space.
 *
 * @param parameter the node parameter that holds the user ID, for errors
 * @throws InvalidInputError that names `parameter`, for anything but `<PROVIDER>-<id>`, including an empty string, `.`, `..`
 * and an absolute URL, which would direct the request elsewhere.
 * @example parseUserId(' EPIC_GAMES-a-b ', 'userId') // 'EPIC_GAMES-a-b'
 */
export function parseUserId(value: unknown, parameter: string): string {
	const userId = typeof value === 'string' ? value.trim() : value;
	if (isUserId(userId)) return userId;
	const isEmpty = userId === '' || userId === undefined || userId === null;
	throw new InvalidInputError({
		parameter,
		value,
		message: isEmpty ? 'The user id is empty' : `${quote(value)} is not a user id`,
		hint: hintForUserId(value),
	});
}
