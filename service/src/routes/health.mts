import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { errorResponses } from '../schemas/error.mts';
import { Health } from '../schemas/health.mts';
import type { LinkedService } from '../service.mts';

/** Reports whether the service and its chain answer; needs no token. */
export const healthRoute: FastifyPluginAsyncTypebox<{ service: LinkedService }> = async (
	app,
	{ service },
) => {
	app.get(
		'/healthz',
		{
			schema: {
				tags: ['service'],
				summary: 'Whether the service and its chain answer',
				operationId: 'getHealth',
				security: [],
				response: { 200: Health, 500: errorResponses[500] },
			},
		},
		async () => ({
			status: 'ok' as const,
			blockNumber: await service.chain.provider.getBlockNumber(),
		}),
	);
};
