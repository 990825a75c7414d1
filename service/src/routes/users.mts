import { formatUnits, toBigNumber } from '../abi/json.mts';
import {
	NativeBalanceAnswer,
	TokenBalanceAnswer,
	TokenBalanceParams,
} from '../schemas/balance.mts';
import { errorResponses } from '../schemas/error.mts';
import { History, HistoryQuery } from '../schemas/history.mts';
import { UserIdParams } from '../schemas/text.mts';
import { User as UserAnswer } from '../schemas/user.mts';
import { userById, type User } from '../store/users.mts';
import { RequestError } from './errors.mts';
import { readHistory } from './history.mts';
import type { Routes } from './routes.mts';

/** The routes about users: profile, balances and history. */
export const userRoutes: Routes = async (app, { service }) => {
	const { chain, tokens } = service;
	const tags = ['users'];

	async function userWithId(id: string): Promise<User> {
		const user = await userById(service.db, id);
		if (user) return user;
		throw new RequestError(404, 'unknown_user', `There is no user ${id}`, { field: 'userId' });
	}

	app.get(
		'/users/:userId',
		{
			schema: {
				tags,
				summary: 'A user and the address of their wallet',
				operationId: 'getUser',
				params: UserIdParams,
				response: { 200: UserAnswer, ...errorResponses },
			},
		},
		async ({ params }) => {
			const user = await userWithId(params.userId);
			const { id, provider, username, address } = user;
			return { id, provider, username, address, imageSrc: service.avatarOf(user) };
		},
	);

	app.get(
		'/users/:userId/balance',
		{
			schema: {
				tags,
				summary: "A user's balance of the native coin",
				operationId: 'getNativeBalance',
				params: UserIdParams,
				response: { 200: NativeBalanceAnswer, ...errorResponses },
			},
		},
		async ({ params }) => {
			const balance = await chain.balance((await userWithId(params.userId)).address);
			return {
				[chain.nativeSymbol]: {
					balance: balance.toString(),
					balanceBn: toBigNumber(balance),
					formatted: formatUnits(balance, 18),
					decimals: 18,
					symbol: chain.nativeSymbol,
					name: chain.nativeName,
					tokenAddress: null,
					network: chain.network,
					chainId: chain.chainId,
				},
			};
		},
	);

	app.get(
		'/users/:userId/balance/:tokenAddress',
		{
			schema: {
				tags,
				summary: "A user's balance of a token",
				operationId: 'getTokenBalance',
				params: TokenBalanceParams,
				response: { 200: TokenBalanceAnswer, ...errorResponses },
			},
		},
		async ({ params: { userId, tokenAddress } }) => {
			const user = await userWithId(userId);
			const [balance, { decimals, symbol, name }] = await Promise.all([
				tokens.balance(tokenAddress, user.address),
				tokens.metadata(tokenAddress),
			]);
			if (balance === undefined) {
				const error = `There is no token with balances at ${tokenAddress}`;
				throw new RequestError(404, 'unknown_token', error, { field: 'tokenAddress' });
			}
			return {
				[tokenAddress.toLowerCase()]: {
					balance: balance.toString(),
					balanceBn: toBigNumber(balance),
					formatted: formatUnits(balance, decimals),
					decimals: decimals.toString(),
					symbol,
					name,
					tokenAddress,
					network: chain.network,
					chainId: chain.chainId,
				},
			};
		},
	);

	app.get(
		'/users/:userId/history',
		{
			schema: {
				tags,
				summary: "A user's recent token transfers",
				operationId: 'getHistory',
				params: UserIdParams,
				querystring: HistoryQuery,
				response: { 200: History, ...errorResponses },
			},
		},
		async ({ params, query }, reply) => {
			const { entries, next } = await readHistory(service, await userWithId(params.userId), query);
			// Without a next page, the header still shows that there are pages.
			const first = query.limit === undefined ? '?' : `?limit=${query.limit}`;
			const link = next === undefined ? `<${first}>; rel="first"` : `<${next}>; rel="next"`;
			reply.header('link', link);
			return entries;
		},
	);
};
