import type { FastifyInstance } from 'fastify';
import { RequestError } from './errors.mts';

/** The names of this machine for itself, on any port. */
const OWN = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

/**
 * Refuses requests for another host than this machine's own names and that of the public address. Otherwise a web page whose name leads to this machine (DNS rebinding) could use the
 * service from the browser of a person who visits it.
 */
export function refuseForeignHosts(app: FastifyInstance, publicUrl: string | undefined): void {
	const known = publicUrl === undefined ? undefined : URL.parse(publicUrl)?.host;
	app.addHook('onRequest', async ({ headers: { host = '' } }) => {
		if (OWN.test(host) || host.toLowerCase() === known) return;
		throw new RequestError(421, 'request_refused', `This service is not ${host}`, {
			field: 'Host',
		});
	});
}
