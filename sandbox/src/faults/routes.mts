import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { FaultRequest } from './fault.mts';
import type { FaultRegistry } from './registry.mts';
import type { RequestLog } from './request-log.mts';

/** Maximum size of a fault, in bytes: it may contain a whole answer. */
const MAX_FAULT_BYTES = 8 * 1024 * 1024;

/** The routes through which tests program faults; not part of the service's interface. */
export const faultRoutes: FastifyPluginAsyncTypebox<{
	registry: FaultRegistry;
	log: RequestLog;
}> = async (app, { registry, log }) => {
	const schema = { hide: true };
	const options = { bodyLimit: MAX_FAULT_BYTES, schema: { ...schema, body: FaultRequest } };
	app.post('/', options, ({ body }) => ({ id: registry.add(body) }));
	app.delete('/', { schema }, () => {
		registry.clear();
		return {};
	});
	app.get('/requests', { schema }, () => log.requests);
	app.delete('/requests', { schema }, () => {
		log.reset();
		return {};
	});
	app.get('/in-flight', { schema }, () => log.inFlight);
};
