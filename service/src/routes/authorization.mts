import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Caller, TokenVerifier } from '../store/tokens.mts';
import { RequestError } from './errors.mts';
import type { RateLimits } from './rate-limits.mts';

const SCHEME = /^Bearer +([^ ]+) *$/i;
const CALLER = 'caller';

/** The bearer token in a request, known or not. */
export function tokenOf({ headers }: FastifyRequest): string | undefined {
	return SCHEME.exec(headers.authorization ?? '')?.[1];
}

/** The caller with the access token. */
export function callerOf(request: FastifyRequest): Caller {
	return request.getDecorator<Caller>(CALLER);
}

/** The caller, if the access token allows writes. */
export function writerOf(request: FastifyRequest): Caller {
	const caller = callerOf(request);
	if (caller.scopes.includes('write')) return caller;
	throw new RequestError(403, 'insufficient_scope', 'The access token does not allow writes');
}

/** For routes that write: refuses other access tokens before the body is read. */
export const forWriters = {
	preParsing: async (request: FastifyRequest): Promise<void> => void writerOf(request),
};

/** The caller with the access token in a request; undefined if no verifier recognises the token. */
export async function bearerOf(
	request: FastifyRequest,
	verifiers: TokenVerifier[],
): Promise<Caller | undefined> {
	const token = tokenOf(request);
	return token === undefined ? undefined : await callerWith(token, verifiers);
}

/** The caller with an access token; undefined if no verifier recognises it. */
export async function callerWith(
	token: string,
	verifiers: TokenVerifier[],
): Promise<Caller | undefined> {
	for (const verify of verifiers) {
		const caller = await verify(token);
		if (caller) return caller;
	}
	return undefined;
}

/**
 * Admits only requests with a known bearer token to the routes of `app`; checks the token before reading the body. A token
 * of an operator is for the status page only.
 */
export function requireAccessToken(
	app: FastifyInstance,
	verifiers: TokenVerifier[],
	limits: RateLimits | undefined,
): void {
	app.decorateRequest(CALLER);
	app.addHook('preParsing', async (request, reply) => {
		const caller = await bearerOf(request, verifiers);
		if (caller) {
			if (caller.tokenId !== undefined) await limits?.ofToken(request, caller.tokenId);
			if (!caller.scopes.includes('operator')) {
				request.setDecorator(CALLER, caller);
				return;
			}
			const error = 'The access token is for the status page only';
			throw new RequestError(403, 'insufficient_scope', error);
		}
		await limits?.failed(request);
		reply.header('www-authenticate', 'Bearer');
		const problem = tokenOf(request) === undefined ? 'is missing' : 'is unknown or has expired';
		throw new RequestError(401, 'unauthorized', `Unauthorized: the bearer access token ${problem}`);
	});
}
