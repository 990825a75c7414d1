import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { refuse } from '../../values/invalid-input';
import { urlOf } from '../../values/urls';

/**
 * Loopback, private and link-local ranges (RFC 6890 for IPv4, RFC 4193 and RFC 4291 for IPv6) in the host of a URL, whose
 * last part is a number only in an IPv4 address.
 */
const PRIVATE_HOSTS = [
	/^(.+\.)?localhost$/,
	/^(127|10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))(\.\d+)+$/,
	/^\[(::1\]|(f[cd][0-9a-f]|fe[89ab])[0-9a-f]:)/,
];

/** Never quotes the value: an invalid URL may contain a password or a misplaced token. */
function refuseUrl(message: string, hint: string, parameter = 'Base URL'): never {
	return refuse(parameter, undefined, message, hint);
}

/**
 * Checks that a URL to which tokens are sent is encrypted, unless it is on this machine or in its private network.
 *
 * @param what name of the field that holds the URL
 * @param allowInsecureHttp whether `http:` may leave this machine and its private network
 * @throws InvalidInputError that names the field and never quotes it.
 */
export function assertEncrypted(
	url: URL | undefined,
	what: string,
	allowInsecureHttp: boolean,
	parameter = what,
): void {
	const { protocol, hostname, host, href } = url ?? {};
	if (protocol === 'https:') return;
	const isAccepted = allowInsecureHttp || PRIVATE_HOSTS.some((one) => one.test(hostname ?? ''));
	if (protocol === 'http:' && isAccepted) return;
	// The host, unless a part of it may be a malformed user name.
	const place = href?.includes('@') === true ? '' : ` to ${host}`;
	refuseUrl(
		protocol === 'http:'
			? `The ${what} sends tokens unencrypted (http)${place}`
			: `The ${what} does not start with http:// or https://`,
		'Use https://, or switch on "Allow Insecure HTTP" in the credential if you accept that others can read the tokens',
		parameter,
	);
}

function parseUrl(text: string): URL {
	const example =
		'Enter the address of the service with https://, for example https://wallet.example.com';
	if (text === '') refuseUrl('The base URL is empty', example);
	// Searched in the text, because a malformed URL has its user info elsewhere, or cannot be parsed at all.
	if (text.includes('@')) {
		refuseUrl('The base URL contains a user name or password', 'Remove the part before the @');
	}
	return urlOf(text) ?? refuseUrl('The base URL is not a URL', example);
}

/** A path without trailing slashes. Not by a regular expression, which would start over at each of many inner slashes. */
function withoutSlashes(path: string): string {
	let end = path.length;
	while (path[end - 1] === '/') end -= 1;
	return path.slice(0, end);
}

/**
 * The service's address as requests use it: origin and path prefix, without trailing slashes and without `/v1`, with which
 * every path of the interface begins.
 *
 * @param value the field of the credential, which may have pasted white space
 * @param allowInsecureHttp whether `http:` may leave this machine and its private network
 * @throws InvalidInputError that states what is wrong with the URL, and never quotes it.
 * @example normalizeBaseUrl(' https://wallet.example.com/api/v1/ ', false) // 'https://wallet.example.com/api'
 */
export function normalizeBaseUrl(value: unknown, allowInsecureHttp: boolean): string {
	const text = typeof value === 'string' ? value.trim() : '';
	const url = parseUrl(text);
	assertEncrypted(url, 'base URL', allowInsecureHttp, 'Base URL');
	if (/[?#]/.test(text))
		refuseUrl('The base URL has a query (?...) or fragment (#...)', 'Remove it');
	const path = withoutSlashes(withoutSlashes(url.pathname).replace(/\/v1$/, ''));
	return `${url.origin}${path}`;
}

/**
 * The base URL for the calls of a credential.
 *
 * @throws InvalidInputError if it is unacceptable.
 */
export function baseUrlOf({ baseUrl, allowInsecureHttp }: ICredentialDataDecryptedObject): string {
	return normalizeBaseUrl(baseUrl, allowInsecureHttp === true);
}
