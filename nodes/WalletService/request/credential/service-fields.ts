import type {
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { refuse } from '../../values/invalid-input';
import { urlOf } from '../../values/urls';

/** A hidden field with a fixed value. */
export const hidden = (displayName: string, name: string, value: string): INodeProperties => ({
	displayName,
	name,
	type: 'hidden',
	default: value,
});

/** Fields of both credential types. */
export const serviceFields = {
	baseUrl: {
		displayName: 'Base URL',
		name: 'baseUrl',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. https://wallet.example.com',
		description:
			'The address of the wallet service. Trailing slashes and a trailing /v1 are removed; any other path is kept.',
	},
	userId: {
		displayName: 'User ID',
		name: 'userId',
		type: 'string',
		default: '',
		placeholder: 'e.g. DISCORD-100200300400500600',
		description: 'The user that this token belongs to. Used by nodes whose own User ID is empty.',
	},
	allowInsecureHttp: {
		displayName: 'Allow Insecure HTTP',
		name: 'allowInsecureHttp',
		type: 'boolean',
		default: false,
		description:
			'Whether to accept an http:// address outside this machine and its private network. Anyone on the network path can then read the token.',
	},
	proxy: {
		displayName: 'Proxy',
		name: 'proxy',
		type: 'string',
		default: '',
		placeholder: 'e.g. http://proxy.example.com:3128',
		description:
			'The HTTP proxy of all requests to the service. If it needs a sign-in, put user and password in front: http://user:password@proxy.example.com:3128.',
	},
	/** A name that n8n's own OAuth2 reads as well. */
	ignoreSSLIssues: {
		displayName: 'Ignore SSL Issues (Insecure)',
		name: 'ignoreSSLIssues',
		type: 'boolean',
		default: false,
		description:
			'Whether to accept a TLS certificate that cannot be verified. Anyone on the network path can then read the token.',
	},
	/** n8n's own field, fixed: other nodes could send the token anywhere and ignore the spending limits. */
	allowedHttpRequestDomains: hidden(
		'Allowed HTTP Request Domains',
		'allowedHttpRequestDomains',
		'none',
	),
} as const satisfies Record<string, INodeProperties>;

/** Visible ASCII characters: a header cannot contain line breaks, and a token no spaces (RFC 6750, section 2.1). */
const SENDABLE = /^[!-~]+$/;

/** The problem with an access token, as the end of a sentence; `undefined` for a valid token. */
export function faultOfToken(token: unknown): string | undefined {
	if (token === undefined || token === null || token === '') return 'is empty';
	if (typeof token === 'string' && SENDABLE.test(token)) return undefined;
	return 'contains white space or another invalid character';
}

/**
 * Reads the pasted access token of a credential, without surrounding white space.
 *
 * @throws InvalidInputError that names the field without quoting its value.
 */
export function readAccessToken(value: unknown): string {
	const token = String(value ?? '').trim();
	const fault = faultOfToken(token);
	if (fault === undefined) return token;
	const hint =
		'Open the credential and enter only the token, on one line and without the word Bearer';
	return refuse('Access Token', `The access token ${fault}`, hint);
}

type Network = Pick<IHttpRequestOptions, 'proxy' | 'skipSslCertificateValidation'>;

function readProxy(value: unknown): Network['proxy'] {
	if (value === undefined || value === '') return undefined;
	const url = urlOf(String(value).trim());
	// n8n ignores other proxies.
	if (url === undefined || !/^https?:$/.test(url.protocol) || url.hostname === '') {
		// The value is not quoted, because it may contain a password.
		const hint = 'Enter its address in the credential, for example http://proxy.example.com:3128';
		return refuse('Proxy', 'The proxy is not a URL that starts with http:// or https://', hint);
	}
	const { protocol, hostname: host, port, username, password } = url;
	const defaultPort = protocol === 'https:' ? 443 : 80;
	return {
		protocol: protocol.slice(0, -1),
		host,
		port: port === '' ? defaultPort : Number(port),
		// Still encoded, as n8n puts both into a URL.
		...(username !== '' && { auth: { username, password } }),
	};
}

/**
 * The network settings of a credential. Only its owner sets them, because they decide who can read the token.
 *
 * @throws InvalidInputError if the proxy is not a URL, without quoting it.
 */
export function networkOf({ proxy, ignoreSSLIssues }: ICredentialDataDecryptedObject): Network {
	return { proxy: readProxy(proxy), skipSslCertificateValidation: ignoreSSLIssues === true };
}
