import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { LinkedService } from '../service.mts';

/** Routes of the service. */
export type Routes<Options = object> = FastifyPluginAsyncTypebox<
	{ service: LinkedService } & Options
>;
