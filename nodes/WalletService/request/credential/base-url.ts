import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { refuse } from '../../values/invalid-input';
import { urlOf } from '../../values/urls';
import { isLeftEmpty } from '../../values/user-id';

/**
 * Loopback, private and link-local hosts of URLs (RFC 6890 for IPv4, RFC 4193 and RFC 4291 for IPv6). In a URL, only an
 * IPv4 address ends with a number.
 */
const PRIVATE_HOSTS = [
	/^(.+\.)?localhost$/,
	/^(127|10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))(\.\d+)+$/,
	/^\[(::1\]|(f[cd][0-9a-f]|fe[89ab])[0-9a-f]:)/,
];

/** Refuses a URL without quoting it: an invalid one may contain a password or a misplaced token. */
function refuseUrl(message: string, hint: string, parameter = 'Base URL'): never {
	return refuse(parameter, message, hint);
}

/**
 * Checks that a URL for access tokens uses HTTPS, or is on this machine or in its private network.
 *
 * @param what name of the field that holds the URL
 * @param allowInsecureHttp whether to accept `http:` outside this machine and its private network
 * @throws InvalidInputError that names the field without quoting its value.
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
	// The host is left out if a part of it may be a malformed user name.
	const place = href?.includes('@') === true ? '' : ` to ${host}`;
	refuseUrl(
		protocol === 'http:'
			? `With this ${what}, tokens are sent unencrypted (http)${place}`
			: `The ${what} does not start with http:// or https://`,
		'Use https://, or switch on "Allow Insecure HTTP" in the credential if you accept that others can read the access tokens',
		parameter,
	);
}

function parseUrl(text: string): URL {
	const example =
		'Enter the address of the service with https://, for example https://wallet.example.com';
	if (text === '') refuseUrl('The base URL is empty', example);
	// The raw text is searched, because a malformed URL may have its user info in another part, or may not parse at all.
	if (text.includes('@')) {
		refuseUrl('The base URL contains a user name or password', 'Remove the part before the @');
	}
	return urlOf(text) ?? refuseUrl('The base URL is not a URL', example);
}

/** Removes trailing slashes from a path. A regular expression would take quadratic time for many inner slashes. */
function withoutSlashes(path: string): string {
	let end = path.length;
	while (path[end - 1] === '/') end -= 1;
	return path.slice(0, end);
}

/**
 * Returns the normalized base URL of a credential: origin and path prefix, without surrounding white space, trailing
 * slashes, and `/v1`, which the paths of requests contain.
 *
 * @throws InvalidInputError for an invalid URL, without quoting it.
 */
export function baseUrlOf({ baseUrl, allowInsecureHttp }: ICredentialDataDecryptedObject): string {
	const text = typeof baseUrl === 'string' ? baseUrl.trim() : '';
	const url = parseUrl(text);
	assertEncrypted(url, 'base URL', allowInsecureHttp === true, 'Base URL');
	if (/[?#]/.test(text))
		refuseUrl('The base URL has a query (?...) or fragment (#...)', 'Remove it');
	const path = withoutSlashes(withoutSlashes(url.pathname).replace(/\/v1$/, ''));
	return `${url.origin}${path}`;
}

/**
 * The credential of a sign-in, with its Access Token URL without `/oauth/token` in place of an empty Base URL. The token
 * then returns to the host that issued it.
 *
 * @example withBaseUrl({ baseUrl: '', accessTokenUrl: 'https://wallet.example.com/oauth/token' }).baseUrl // 'https://wallet.example.com'
 */
export function withBaseUrl(
	credential: ICredentialDataDecryptedObject,
): ICredentialDataDecryptedObject {
	const { baseUrl, accessTokenUrl } = credential;
	if (!isLeftEmpty(baseUrl) || typeof accessTokenUrl !== 'string') return credential;
	const [, above] = /^(.+)\/oauth\/token$/.exec(accessTokenUrl.trim()) ?? [];
	return above === undefined ? credential : { ...credential, baseUrl: above };
}
