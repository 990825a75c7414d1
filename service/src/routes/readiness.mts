import Type from 'typebox';
import type { Watch } from '../operation/watch.mts';
import { Closed } from '../schemas/closed.mts';
import { errorResponses } from '../schemas/error.mts';
import type { Routes } from './routes.mts';

const Problem = Closed({
	code: Type.String({ description: 'Stable name of the problem.' }),
	text: Type.String(),
});

const Readiness = Closed({
	status: Type.Enum(['ok', 'FAILED']),
	problems: Type.Array(Problem),
	blockNumber: Type.Integer({ description: 'Newest block of the chain.' }),
	endpoints: Type.Array(
		Closed({
			name: Type.String({ description: 'Host name.' }),
			blockNumber: Type.Integer(),
			ageSeconds: Type.Integer({ description: 'Time since its newest block was first seen.' }),
			isAnswering: Type.Boolean(),
		}),
	),
	openWrites: Type.Integer({ description: 'Writes that are in no block.' }),
	oldestOpenSeconds: Type.Integer({ description: 'Age of the oldest of them.' }),
	closedWallets: Type.Integer(),
	lowWallets: Type.Integer({ description: 'Wallets in use that have little coin for gas.' }),
});

/** Whether anybody has to look at the service. */
export const readinessRoutes: Routes<{ watch: Watch }> = async (app, { watch }) => {
	app.get(
		'/readyz',
		{
			schema: {
				tags: ['service'],
				security: [],
				summary: 'Whether the service works, and what is wrong otherwise',
				operationId: 'getReadiness',
				response: { 200: Readiness, 503: Readiness, 500: errorResponses[500] },
			},
		},
		async (_request, reply) => {
			const { problems, head, endpoints, open, oldestOpen, wallets } = await watch.read();
			const isOk = problems.length === 0;
			reply.code(isOk ? 200 : 503);
			return {
				status: isOk ? ('ok' as const) : ('FAILED' as const),
				problems,
				blockNumber: Number(head),
				endpoints: endpoints.map(({ name, head: blockNumber, headAge, isAnswering }) => {
					return { name, blockNumber: Number(blockNumber), ageSeconds: headAge, isAnswering };
				}),
				openWrites: open.counts.signed + open.counts.accepted,
				oldestOpenSeconds: oldestOpen,
				closedWallets: wallets.filter(({ state }) => state === 'closed').length,
				lowWallets: wallets.filter(({ isLow }) => isLow).length,
			};
		},
	);
};
