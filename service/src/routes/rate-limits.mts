import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { RequestError } from './errors.mts';

const MINUTE_MS = 60_000;

/** Requests of an address for each one of a token: several tokens are used at one address. */
const TOKENS_AT_ADDRESS = 4;

/** Requests with an unknown token that an address may send in a minute. Tokens that are known remain usable there. */
const FAILURES = 60;

/** Too many requests in a minute. */
export class TooManyRequests extends RequestError {
	override readonly retryAfter: number;

	constructor(whose: string, retryAfter: number) {
		const error = `Too many requests ${whose}; try again in ${retryAfter} s`;
		super(429, 'too_many_requests', error);
		this.retryAfter = retryAfter;
	}
}

/** Counts requests. @throws TooManyRequests above a limit */
export interface RateLimits {
	/** A request without a known token. */
	failed(request: FastifyRequest): Promise<void>;
	/** A request with the token that has an ID. */
	ofToken(request: FastifyRequest, tokenId: string): Promise<void>;
}

/**
 * Limits requests before anything else is done for them, and returns what else is counted.
 *
 * @param perMinute requests with one token
 */
export async function limitRates(app: FastifyInstance, perMinute: number): Promise<RateLimits> {
	await app.register(rateLimit, { global: false });
	const limiter = (max: number, whose: string) => {
		const keys = new WeakMap<FastifyRequest, string>();
		const check = app.createRateLimit({
			max,
			timeWindow: MINUTE_MS,
			keyGenerator: (request) => keys.get(request) ?? '',
		});
		return async (request: FastifyRequest, key: string): Promise<void> => {
			keys.set(request, key);
			const result = await check(request);
			if (!result.isAllowed && result.isExceeded) {
				throw new TooManyRequests(whose, Math.max(1, result.ttlInSeconds));
			}
		};
	};
	const ofAddress = limiter(perMinute * TOKENS_AT_ADDRESS, 'from this address');
	const failed = limiter(FAILURES, 'without a valid access token');
	app.addHook('onRequest', async (request) => await ofAddress(request, request.ip));
	return {
		failed: async (request) => await failed(request, request.ip),
		ofToken: limiter(perMinute, 'with this access token'),
	};
}
