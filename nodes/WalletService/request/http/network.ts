import type { IHttpRequestOptions } from 'n8n-workflow';

import { InvalidInputError } from '../../values/invalid-input';
import { isObject } from '../../values/objects';
import { urlOf } from '../../values/urls';

/** How requests are sent, as far as n8n's own "Request Options" of the node determine it. */
export type Network = Pick<IHttpRequestOptions, 'proxy' | 'skipSslCertificateValidation'>;

function readProxy(value: unknown): IHttpRequestOptions['proxy'] {
	if (value === undefined || value === '') return undefined;
	const url = urlOf(String(value));
	if (url === undefined || url.hostname === '') {
		throw new InvalidInputError({
			parameter: 'Request Options: Proxy',
			// Not quoted: it may hold a password.
			value: '',
			message: 'The proxy is not a URL',
			hint: 'Give its address with a protocol, for example http://proxy.example.com:3128',
		});
	}
	const { protocol, hostname: host, port, username, password } = url;
	const defaultPort = protocol === 'https:' ? 443 : 80;
	return {
		protocol: protocol.slice(0, -1),
		host,
		port: port === '' ? defaultPort : Number(port),
		...(username !== '' && {
			auth: { username: decodeURIComponent(username), password: decodeURIComponent(password) },
		}),
	};
}

/**
 * Reads the part of n8n's "Request Options" that the options of this package do not replace.
 *
 * @throws InvalidInputError for a proxy that is not a URL.
 * @example readNetwork({ proxy: 'http://10.0.0.1' }) // { proxy: { protocol: 'http', host: '10.0.0.1', port: 80 } }
 */
export function readNetwork(value: unknown): Network {
	if (!isObject(value)) return {};
	const proxy = readProxy(value.proxy);
	return {
		...(proxy !== undefined && { proxy }),
		...(value.allowUnauthorizedCerts === true && { skipSslCertificateValidation: true }),
	};
}
