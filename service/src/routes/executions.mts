import { setImmediate } from 'node:timers/promises';
import { replayOf, stateOf } from '../calls/write-answer.mts';
import { errorResponses } from '../schemas/error.mts';
import {
	AttemptAnswer,
	AttemptRequest,
	EqualCallsAnswer,
	EqualCallsQuery,
	ListedWrite,
} from '../schemas/labels.mts';
import { serializerCompiler } from '../schemas/compiler.mts';
import type { User } from '../store/users.mts';
import type { Listed } from '../writes/executions.mts';
import { callerOf, forWriters, writerOf } from './authorization.mts';
import type { Routes } from './routes.mts';

/** What is read of a list at once: an ordinary write has some 500 characters. */
const CHARACTERS_AT_ONCE = 25_000;

/** The routes that list a user's writes by their labels. */
export const executionRoutes: Routes = async (app, { service }) => {
	const tags = ['writes'];

	function toEntry({ address }: User, listed: Listed): ListedWrite {
		const { node, execution, place, call } = listed.labels;
		return {
			...replayOf(service.explorer, address, listed),
			key: listed.write.key,
			node,
			execution,
			state: stateOf(listed),
			...(place === null ? {} : { place }),
			...(call === null ? {} : { call }),
		};
	}

	const toText = serializerCompiler({
		schema: ListedWrite,
		method: 'GET',
		url: '/writes',
		httpStatus: '200',
	});

	/**
	 * A list as JSON. A long one takes seconds, in which other requests are answered, too; so it is sent as text, in place of the
	 * empty list that the routes return.
	 */
	async function textOf(user: User, writes: readonly Listed[]): Promise<string> {
		const texts: string[] = [];
		let characters = 0;
		for (const one of writes) {
			const text = toText(toEntry(user, one));
			texts.push(text);
			characters += text.length;
			if (characters < CHARACTERS_AT_ONCE) continue;
			characters = 0;
			await setImmediate();
		}
		return `[${texts.join()}]`;
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
		async (request, reply) => {
			const caller = writerOf(request);
			const { attempt, writes } = await service.executions.begin(caller, request.body);
			const list = await textOf(caller.user, writes);
			reply.serializer(() => `{"attempt":${attempt},"writes":${list}}`);
			return { attempt, writes: [] };
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
		async (request, reply) => {
			const caller = callerOf(request);
			const { node, call, within } = request.query;
			const of = { node, call, within: Number(within) };
			const writes = await service.executions.equalCalls(caller, of);
			const list = await textOf(caller.user, writes);
			reply.serializer(() => `{"writes":${list}}`);
			return { writes: [] };
		},
	);
};
