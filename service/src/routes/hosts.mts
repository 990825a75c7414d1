import type { FastifyInstance } from 'fastify';
import { RequestError } from './errors.mts';

/** The names of this machine for itself, on any port. */
const OWN = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

/** Headers of which a proxy in front may take another value than the service, if there are two. */
const ONCE = ['host', 'authorization', 'content-type'];

/** The ports that a URL of the scheme leaves out. */
const DEFAULT_PORTS: Partial<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/** The host of an address, with and without the port that its scheme has by default: they are equal (RFC 9110, section 4.2.3). */
function hostsOf(publicUrl: string | undefined): readonly string[] {
	const { host, port, protocol } = new URL(publicUrl ?? 'http://localhost');
	return port === '' ? [host, `${host}:${DEFAULT_PORTS[protocol]}`] : [host];
}

/** The host of a request: that of its URL, which counts before the header, if it has one (RFC 9112). */
const hostOf = (url: string, host: string): string =>
	url.startsWith('/') || url === '*' ? host : (URL.parse(url)?.host ?? url);

/**
 * Refuses requests for another host than this machine's own names and that of the public address. Otherwise a web page whose name leads to this machine (DNS rebinding) could use the
 * service from the browser of a person who visits it. Refuses what is said twice, too.
 */
export function refuseForeignHosts(app: FastifyInstance, publicUrl: string | undefined): void {
	const known = hostsOf(publicUrl);
	app.addHook('onRequest', async ({ raw: { headers, rawHeaders, url = '' } }) => {
		const names = rawHeaders.filter((_text, place) => place % 2 === 0);
		for (const field of ONCE) {
			if (names.filter((name) => name.toLowerCase() === field).length < 2) continue;
			throw new RequestError(400, 'invalid_request', `${field} must be sent once`, { field });
		}
		const host = hostOf(url, headers.host ?? '');
		if (OWN.test(host) || known.includes(host.toLowerCase())) return;
		throw new RequestError(421, 'request_refused', `This service is not ${host}`, {
			field: 'Host',
		});
	});
}
