import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { TokenVerifier } from '../wallets/accessTokens.mts';
import type { User } from '../wallets/directory.mts';
import { RequestError } from './errors.mts';

const SCHEME = /^Bearer +([^ ]+) *$/i;
const USER = 'user';

/** The user whose access token the request carries. */
export function callerOf(request: FastifyRequest): User {
	return request.getDecorator<User>(USER);
}

/**
 * Lets only requests with a known bearer token through to the routes of `app`, before their body is read.
 */
export function requireAccessToken(app: FastifyInstance, verifiers: TokenVerifier[]): void {
	app.decorateRequest(USER);
	app.addHook('preParsing', async (request, reply) => {
		const token = SCHEME.exec(request.headers.authorization ?? '')?.[1];
		for (const verifier of token === undefined ? [] : verifiers) {
			const user = await verifier.verify(token ?? '');
			if (!user) continue;
			request.setDecorator(USER, user);
			return;
		}
		reply.header('www-authenticate', 'Bearer');
		const problem = token === undefined ? 'is missing' : 'is unknown or has expired';
		throw new RequestError(401, 'unauthorized', `Unauthorized: the bearer access token ${problem}`);
	});
}
