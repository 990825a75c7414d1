import type { FastifyInstance } from 'fastify';
import { RequestError } from './errors.mts';

/** The names of this machine for itself, on any port. */
const OWN = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

/**
 * Refuses requests for another host. Otherwise a web page whose name leads to this machine (DNS rebinding) could use the
 * service from the browser of a person who visits it.
 */
export function refuseForeignHosts(app: FastifyInstance): void {
	app.addHook('onRequest', async ({ headers: { host = '' } }) => {
		if (OWN.test(host)) return;
		throw new RequestError(421, 'request_refused', `This service is not ${host}`, 'Host');
	});
}
