import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { submit } from '../calls/submit.mts';
import { query } from '../calls/query.mts';
import { parseCall } from '../input/contract-call.mts';
import { InputError } from '../input/input-error.mts';
import { conditionsOf } from '../conditions.mts';
import { errorResponses } from '../schemas/error.mts';
import { ReadAnswer, ReadRequest, WriteAnswer, WriteRequest } from '../schemas/contract-call.mts';
import type { LinkedService } from '../service.mts';
import { callerOf } from './authorization.mts';

/** The routes that call any function of any contract. */
export const contractRoutes: FastifyPluginAsyncTypebox<{ service: LinkedService }> = async (
	app,
	{ service },
) => {
	const tags = ['contracts'];

	app.post(
		'/contracts/method/read',
		{
			schema: {
				tags,
				summary: 'Call a function that reads',
				operationId: 'readContract',
				body: ReadRequest,
				response: { 200: ReadAnswer, ...errorResponses },
			},
		},
		(request) => query(service, callerOf(request).address, parseCall(request.body)),
	);

	app.post(
		'/contracts/method/write',
		{
			schema: {
				tags,
				summary: "Call a function in a transaction of the caller's wallet",
				operationId: 'writeContract',
				body: WriteRequest,
				response: { 200: WriteAnswer, ...errorResponses },
			},
		},
		(request) => {
			const call = parseCall(request.body);
			if (call.signature.constant) {
				throw new InputError(
					'abi',
					'is of a function that only reads: use /v1/contracts/method/read',
				);
			}
			const value = BigInt(request.body.value ?? '0');
			const { fate } = conditionsOf(request);
			return submit(service, service.senderOf(callerOf(request)), { ...call, value }, fate);
		},
	);
};
