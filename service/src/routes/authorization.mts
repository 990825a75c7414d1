import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { TokenVerifier } from '../wallets/access-tokens.mts';
import type { User } from '../wallets/directory.mts';
import { RequestError } from './errors.mts';

const SCHEME = /^Bearer +([^ ]+) *$/i;
const USER = 'user';

/** The bearer token in a request, known or not. */
export function tokenOf({ headers }: FastifyRequest): string | undefined {
	return SCHEME.exec(headers.authorization ?? '')?.[1];
}

/** The user of the access token. */
export function callerOf(request: FastifyRequest): User {
	return request.getDecorator<User>(USER);
}

/** The user of the access token in a request; undefined if no verifier recognises the token. */
export async function bearerOf(
	request: FastifyRequest,
	verifiers: TokenVerifier[],
): Promise<User | undefined> {
	const token = tokenOf(request);
	if (token === undefined) return undefined;
	for (const verifier of verifiers) {
		const user = await verifier.verify(token);
		if (user) return user;
	}
	return undefined;
}

/** Admits only requests with a known bearer token to the routes of `app`; checks the token before reading the body. */
export function requireAccessToken(app: FastifyInstance, verifiers: TokenVerifier[]): void {
	app.decorateRequest(USER);
	app.addHook('preParsing', async (request, reply) => {
		const user = await bearerOf(request, verifiers);
		if (user) {
			request.setDecorator(USER, user);
			return;
		}
		reply.header('www-authenticate', 'Bearer');
		const problem = tokenOf(request) === undefined ? 'is missing' : 'is unknown or has expired';
		throw new RequestError(401, 'unauthorized', `Unauthorized: the bearer access token ${problem}`);
	});
}
