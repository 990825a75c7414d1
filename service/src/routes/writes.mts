import Type from 'typebox';
import { errorResponses } from '../schemas/error.mts';
import { WriteRequest } from '../schemas/contract-call.mts';
import { LabelHeaders } from '../schemas/labels.mts';
import { FenceAnswer, KeyParams } from '../schemas/write-key.mts';
import { callerOf, forWriters, writerOf } from './authorization.mts';
import { RequestError } from './errors.mts';
import { labelsOf } from './labels.mts';
import { sendWrite, submitCall, writeResponses } from './submission.mts';
import type { Routes } from './routes.mts';

/** The routes of writes under a key, which is unique for the user and kept for ever. */
export const writeRoutes: Routes = async (app, { service }) => {
	const tags = ['writes'];
	const common = { tags, params: KeyParams };

	app.put(
		'/writes/:key',
		{
			...forWriters,
			schema: {
				...common,
				summary:
					'Call a function in a transaction, once for this key, however often it is requested',
				operationId: 'putWrite',
				headers: Type.Object(LabelHeaders),
				body: WriteRequest,
				response: writeResponses,
			},
		},
		async (request, reply) => {
			const { key } = request.params;
			return await submitCall(request, reply, service, { key, labels: labelsOf(request) });
		},
	);

	app.get(
		'/writes/:key',
		{
			schema: {
				...common,
				summary: 'The write under a key',
				operationId: 'getWrite',
				response: writeResponses,
			},
		},
		async (request, reply) => {
			const { user } = callerOf(request);
			const { key } = request.params;
			const found = await service.writes.find(callerOf(request), key);
			if (found) return sendWrite(reply, service, user.address, found);
			throw new RequestError(404, 'unknown_write', `There is no write under the key ${key}`, {
				field: 'key',
			});
		},
	);

	app.delete(
		'/writes/:key',
		{
			...forWriters,
			schema: {
				...common,
				summary: 'Take a key out of use, unless a write has it, which is returned',
				operationId: 'fenceWrite',
				response: { ...writeResponses, 200: FenceAnswer, ...errorResponses },
			},
		},
		async (request, reply) => {
			const caller = writerOf(request);
			const found = await service.writes.fence(caller, request.params.key);
			if (found) return sendWrite(reply, service, caller.user.address, found);
			return { status: 'VOID' as const, key: request.params.key };
		},
	);
};
