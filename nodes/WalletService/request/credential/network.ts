import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { refuse } from '../../values/invalid-input';
import { urlOf } from '../../values/urls';

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
