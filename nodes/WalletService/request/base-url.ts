import { InvalidInput } from '../values/invalid-input';
import { quote } from '../values/quote';

const PARAMETER = 'Base URL';

/** Loopback, private and link-local ranges: RFC 6890 for IPv4, RFC 4193 and RFC 4291 for IPv6. */
const PRIVATE_HOSTS = [
	/^localhost$/,
	/\.localhost$/,
	/^127\.\d+\.\d+\.\d+$/,
	/^10\.\d+\.\d+\.\d+$/,
	/^172\.(1[6-9]|2\d|3[01])\.\d+\.\d+$/,
	/^192\.168\.\d+\.\d+$/,
	/^169\.254\.\d+\.\d+$/,
	/^\[::1\]$/,
	/^\[f[cd][0-9a-f]{2}:/,
	/^\[fe[89ab][0-9a-f]:/,
];

function refuse(value: string, message: string, hint: string): never {
	throw new InvalidInput({ parameter: PARAMETER, value, message, hint });
}

/**
 * Checks that a URL which tokens are sent to is encrypted, unless it stays on this machine or in its private network.
 *
 * @param what name of the field that holds it
 * @param allowInsecureHttp whether `http:` may go further
 * @throws InvalidInput that names the field.
 */
export function assertEncrypted(value: string, what: string, allowInsecureHttp: boolean): void {
	const url = URL.parse(value.trim());
	const isPrivate = PRIVATE_HOSTS.some((host) => host.test(url?.hostname ?? ''));
	if (url?.protocol === 'https:') return;
	if (url?.protocol === 'http:' && (isPrivate || allowInsecureHttp)) return;
	throw new InvalidInput({
		parameter: what,
		value,
		message:
			url?.protocol === 'http:'
				? `The ${what} sends tokens unencrypted (http) to ${url.host}`
				: `${quote(value)} does not start with http:// or https://`,
		hint: 'Use https://, or switch on "Allow Insecure HTTP" in the credential if you accept that others can read the tokens',
	});
}

function parseUrl(text: string): URL {
	const example = 'Give the address of the service, for example https://wallet.example.com';
	if (text === '') refuse(text, 'The base URL is empty', example);
	try {
		return new URL(text);
	} catch {
		return refuse(text, `${quote(text)} is not a URL`, example);
	}
}

/**
 * The service's address as requests use it: origin and sub-path, without trailing slashes and without `/v1`, which
 * every path of the interface brings along.
 *
 * @param value what the credential holds, pasted white space included
 * @param allowInsecureHttp whether `http:` may leave this machine and its private network
 * @throws InvalidInput that says what in the URL is wrong; the URL's user info is never quoted.
 * @example normalizeBaseUrl(' https://wallet.example.com/api/v1/ ', false) // 'https://wallet.example.com/api'
 */
export function normalizeBaseUrl(value: unknown, allowInsecureHttp: boolean): string {
	const text = typeof value === 'string' ? value.trim() : '';
	const url = parseUrl(text);
	if (url.username !== '' || url.password !== '') {
		refuse('', 'The base URL holds a user name or password', 'Remove the part before the @');
	}
	if (url.protocol !== 'https:' && url.protocol !== 'http:') {
		refuse(text, `${quote(text)} does not start with http:// or https://`, 'Use an https:// URL');
	}
	if (url.search !== '' || text.includes('?')) {
		refuse(text, 'The base URL has a query (?...)', 'Remove the question mark and all behind it');
	}
	if (url.hash !== '' || text.includes('#')) {
		refuse(text, 'The base URL has a fragment (#...)', 'Remove the # and all behind it');
	}
	const isPrivate = PRIVATE_HOSTS.some((host) => host.test(url.hostname));
	if (url.protocol === 'http:' && !isPrivate && !allowInsecureHttp) {
		refuse(
			text,
			`The base URL sends the access token unencrypted (http) to ${url.host}`,
			'Use https://, or switch on "Allow Insecure HTTP" in the credential if you accept that others can read the token',
		);
	}
	const path = url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '').replace(/\/+$/, '');
	return `${url.origin}${path}`;
}
