import { InvalidInputError } from '../../values/invalid-input';

/** Visible ASCII characters: a header holds no line break, and no token has a space (RFC 6750, section 2.1). */
const SENDABLE = /^[!-~]+$/;

/** What is wrong with an access token, to complete a sentence; `undefined` for one that can be sent. */
export function faultOfToken(token: unknown): string | undefined {
	if (token === undefined || token === null || token === '') return 'is empty';
	if (typeof token === 'string' && SENDABLE.test(token)) return undefined;
	return 'contains white space, or another character that no token has';
}

/**
 * The pasted access token of a credential, without the white space around it.
 *
 * @throws InvalidInputError that names the field and never quotes it.
 */
export function readAccessToken(value: unknown): string {
	const token = String(value ?? '').trim();
	const fault = faultOfToken(token);
	if (fault === undefined) return token;
	throw new InvalidInputError({
		parameter: 'Access Token',
		message: `The access token ${fault}`,
		hint: 'Open the credential, and enter the token alone: in one line, without the word Bearer',
	});
}
