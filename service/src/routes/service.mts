import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { errorResponses } from '../schemas/error.mts';
import { ServiceDescription } from '../schemas/service.mts';
import type { LinkedService } from '../service.mts';

/** Reports what the service guarantees beyond the interface; needs no token. */
export const serviceRoute: FastifyPluginAsyncTypebox<{ service: LinkedService }> = async (
	app,
	{ service },
) => {
	app.get(
		'/service',
		{
			schema: {
				tags: ['service'],
				summary: 'What the service guarantees',
				operationId: 'getService',
				security: [],
				response: { 200: ServiceDescription, ...errorResponses },
			},
		},
		() => service.description,
	);
};
