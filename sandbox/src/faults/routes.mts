import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { FaultRequest } from './fault.mts';
import type { FaultRegistry } from './registry.mts';
import { InFlight, LoggedRequest, type RequestLog } from './request-log.mts';
import { Closed } from '../../../service/src/schemas/closed.mts';

const Nothing = Closed({});

/** Maximum size of a fault, in bytes: it may contain a whole answer. */
const MAX_FAULT_BYTES = 8 * 1024 * 1024;

/** The routes through which tests program faults; not part of the service's interface. */
export const faultRoutes: FastifyPluginAsyncTypebox<{
	registry: FaultRegistry;
	log: RequestLog;
}> = async (app, { registry, log }) => {
	app.post(
		'/',
		{
			bodyLimit: MAX_FAULT_BYTES,
			schema: {
				hide: true,
				body: FaultRequest,
				response: { 200: Type.Object({ id: Type.String() }) },
			},
		},
		({ body }) => ({ id: registry.add(body) }),
	);
	app.delete('/', { schema: { hide: true, response: { 200: Nothing } } }, () => {
		registry.clear();
		return {};
	});
	app.get(
		'/requests',
		{ schema: { hide: true, response: { 200: Type.Array(LoggedRequest) } } },
		() => log.requests,
	);
	app.delete('/requests', { schema: { hide: true, response: { 200: Nothing } } }, () => {
		log.reset();
		return {};
	});
	app.get(
		'/in-flight',
		{ schema: { hide: true, response: { 200: InFlight } } },
		() => log.inFlight,
	);
};
