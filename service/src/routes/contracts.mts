import { randomUUID } from 'node:crypto';
import { query } from '../calls/query.mts';
import { MOST_WORDS_OF_READ, parseCall } from '../input/contract-call.mts';
import { errorResponses } from '../schemas/error.mts';
import { ReadAnswer, ReadRequest, WriteRequest } from '../schemas/contract-call.mts';
import { KeyHeaders } from '../schemas/write-key.mts';
import { callerOf, forWriters } from './authorization.mts';
import { keyOf } from './idempotency-key.mts';
import { labelsOf } from './labels.mts';
import { submitCall, writeResponses } from './submission.mts';
import type { Routes } from './routes.mts';

/** The routes that call any function of any contract. */
export const contractRoutes: Routes = async (app, { service }) => {
	const tags = ['contracts'];
	const { description } = service;

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
		async (request) => {
			const call = await parseCall(request.body, MOST_WORDS_OF_READ);
			return await query(service, callerOf(request).user.address, call);
		},
	);

	app.post(
		'/contracts/method/write',
		{
			...forWriters,
			schema: {
				tags,
				summary: "Call a function in a transaction of the caller's wallet",
				operationId: 'writeContract',
				body: WriteRequest,
				...(description.writes === false ? {} : { headers: KeyHeaders }),
				response: writeResponses,
			},
		},
		async (request, reply) => {
			const under =
				description.writes === false
					? { key: randomUUID() }
					: { key: keyOf(request), labels: labelsOf(request) };
			return await submitCall(request, reply, service, under);
		},
	);
};
