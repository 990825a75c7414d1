import { setImmediate } from 'node:timers/promises';
import { replayOf, stateOf } from '../calls/write-answer.mts';
import { errorResponses } from '../schemas/error.mts';
import {
	AttemptAnswer,
	AttemptRequest,
	EqualCallsAnswer,
	EqualCallsQuery,
	type ListedWrite,
} from '../schemas/labels.mts';
import type { User } from '../store/users.mts';
import type { Listed } from '../writes/executions.mts';
import { callerOf, forWriters, writerOf } from './authorization.mts';
import type { Routes } from './routes.mts';

/** Writes of a list that are read at once, each in about 0.2 milliseconds. */
const AT_ONCE = 100;

/** The routes that list a user's writes by their labels. */
export const executionRoutes: Routes = async (app, { service }) => {
	const tags = ['writes'];

	function toEntry({ address }: User, listed: Listed): ListedWrite {
		const { node, execution, place, call } = listed.labels;
		return {
			...replayOf(service.explorer, address, listed),
			...{ key: listed.write.key, node, execution, state: stateOf(listed) },
			...(place === null ? {} : { place }),
			...(call === null ? {} : { call }),
		};
	}

	async function toEntries(user: User, writes: readonly Listed[]): Promise<ListedWrite[]> {
		const entries: ListedWrite[] = [];
		for (const one of writes) {
			entries.push(toEntry(user, one));
			// A long list takes seconds, in which other requests are answered, too.
			if (entries.length % AT_ONCE === 0) await setImmediate();
		}
		return entries;
	}

	app.post(
		'/attempts',
		{
			...forWriters,
			schema: {
				tags,
				summary: 'Begin an attempt of an execution, and list all writes of earlier ones',
				description:
					'From then on, a write with these labels is accepted only with the returned number as `Write-Attempt`; writes that are known already are still answered.',
				operationId: 'beginAttempt',
				body: AttemptRequest,
				response: { 200: AttemptAnswer, ...errorResponses },
			},
		},
		async (request) => {
			const caller = writerOf(request);
			const { attempt, writes } = await service.executions.begin(caller, request.body);
			return { attempt, writes: await toEntries(caller.user, writes) };
		},
	);

	app.get(
		'/writes',
		{
			schema: {
				tags,
				summary: 'The equal calls of a node, the newest first',
				operationId: 'listWrites',
				querystring: EqualCallsQuery,
				response: { 200: EqualCallsAnswer, ...errorResponses },
			},
		},
		async (request) => {
			const caller = callerOf(request);
			const { node, call, within } = request.query;
			const of = { node, call, within: Number(within) };
			const writes = await service.executions.equalCalls(caller, of);
			return { writes: await toEntries(caller.user, writes) };
		},
	);
};
