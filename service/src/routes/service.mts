import Type from 'typebox';
import { Closed } from '../schemas/closed.mts';
import { errorResponses } from '../schemas/error.mts';
import { ServiceDescription } from '../schemas/service.mts';
import type { User } from '../schemas/user.mts';
import { bearerOf } from './authorization.mts';
import type { Routes } from './routes.mts';

const Health = Closed({ status: Type.Literal('ok') });

type Told = Pick<User, 'address' | 'id' | 'username'>;

const ownFacts = ({ id, username, address }: Told): Told => ({ id, username, address });

/** What the service reports about itself; needs no token. */
export const serviceRoutes: Routes = async (app, { service }) => {
	const open = { tags: ['service'], security: [] };

	app.get(
		'/healthz',
		{
			schema: {
				...open,
				summary: 'Whether the process answers',
				operationId: 'getHealth',
				response: { 200: Health, 500: errorResponses[500] },
			},
		},
		() => ({ status: 'ok' as const }),
	);

	app.get(
		'/v1/service',
		{
			schema: {
				...open,
				summary:
					'What the service guarantees; with an access token, whose it is, and what it may still spend',
				operationId: 'getService',
				response: { 200: ServiceDescription, ...errorResponses },
			},
		},
		async (request) => {
			const { db, description, spending, tokenVerifiers } = service;
			const { user, tokenId, limits } = (await bearerOf(request, tokenVerifiers)) ?? {};
			const isTold = user && description.writes !== false;
			const own = isTold ? { user: ownFacts(user) } : {};
			if (tokenId === undefined || !limits) return { ...description, ...own };
			return { ...description, ...own, token: await spending.withLeft(db, tokenId, limits) };
		},
	);
};
