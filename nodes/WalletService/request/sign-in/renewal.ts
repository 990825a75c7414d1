import type { IHttpRequestOptions, IN8nHttpFullResponse, IPollFunctions } from 'n8n-workflow';

import { hashesIn, hashesInHeaders } from '../../values/hashes';
import { settle } from '../../values/settle';
import { ServiceError } from '../failure/service-error';
import { deriveContext } from '../credential/derive-context';
import { endedSignIns } from './ended-sign-ins';
import { PassingNotes } from './passing-notes';
import { renewalTurns, untilAborted } from './renewal-turns';
import type { SignIn, StoredTokens } from './sign-in';
import { notRenewed, rejectedAfterRenewal, signInFailure } from './sign-in-failure';

const UNAUTHORIZED = 401;
/** How long a token counts as new: a 401 to a new token is about the request. */
const NEW_MS = 60_000;
/** A token with a shorter lifetime may have expired although it is new; in seconds. */
const LONG_LIFE = 120;

/** Tokens that n8n obtained by a renewal. */
const newTokens = new PassingNotes<true>(NEW_MS);

/** The part of a context that is needed. */
interface Context {
	readonly helpers: Pick<IPollFunctions['helpers'], 'httpRequest'>;
}
type HttpRequest = (options: IHttpRequestOptions) => Promise<IN8nHttpFullResponse>;

/** n8n recognizes a 401 by the status in the response of an error, and by nothing else. */
class Unauthorized extends Error {
	readonly response = { status: UNAUTHORIZED } as const;
}

const tokenIn = ({ headers }: IHttpRequestOptions): string =>
	String(headers?.Authorization).replace(/^Bearer /, '');

/** A 401 means that nothing was done. One that names a transaction does not, and must not be lost. */
function isRefusal({ statusCode, body, headers }: IN8nHttpFullResponse, method: unknown): boolean {
	if (statusCode !== UNAUTHORIZED) return false;
	if (method !== 'POST') return true;
	return hashesIn(String(body)).length === 0 && hashesInHeaders(headers).length === 0;
}

/** One request and, if its token has expired, one renewal and the same request again. */
class RenewingRequest {
	readonly #send: HttpRequest;

	readonly #session: SignIn;

	#state: 'first' | 'renewing' | 'again' | 'given up' = 'first';

	#tokens: StoredTokens | undefined;

	#endTurn = (): void => undefined;

	#failure: ServiceError | undefined;

	#giveUp: (failure: ServiceError) => void = () => undefined;

	readonly #givenUp = new Promise<never>((_resolve, reject) => {
		this.#giveUp = reject;
	});

	constructor(send: HttpRequest, session: SignIn) {
		this.#send = send;
		this.#session = session;
	}

	/** Replaces the helper with which n8n's OAuth2 sends: first the request, and again after it has renewed the token. */
	readonly httpRequest: HttpRequest = async (options) => {
		if (this.#state === 'given up') throw this.#failure;
		const isAgain = this.#state !== 'first';
		if (this.#state === 'renewing') {
			this.#state = 'again';
			newTokens.add(this.#session.credential, tokenIn(options), true);
			this.#endTurn();
		}
		// Every status is an answer with its whole body, even if n8n would throw.
		const answer = await this.#send({ ...options, ignoreHttpStatusErrors: true });
		return isAgain || !isRefusal(answer, options.method)
			? answer
			: await this.#renew(options, answer);
	};

	async run<T>(send: () => Promise<T>): Promise<T> {
		try {
			return await Promise.race([send(), this.#givenUp]);
		} catch (error) {
			throw this.#failure ?? this.#failureOf(error) ?? error;
		} finally {
			this.#endTurn();
		}
	}

	async #renew(
		options: IHttpRequestOptions,
		answer: IN8nHttpFullResponse,
	): Promise<IN8nHttpFullResponse> {
		this.#state = 'again';
		const { credential } = this.#session;
		const endTurn = await renewalTurns.take(credential, options.abortSignal);
		if (endTurn === undefined) throw this.#fail('another request is at it, and takes too long');
		this.#endTurn = endTurn;
		const read = await settle(this.#session.readTokens());
		if (read.status === 'rejected') throw this.#fail('n8n could not read the credential');
		this.#tokens = read.value;
		const { accessToken, lifetime } = read.value;
		this.#failure = endedSignIns.find(credential, accessToken);
		if (this.#failure !== undefined) throw this.#failure;
		if (accessToken !== tokenIn(options)) {
			// Another request has renewed it in the meantime.
			this.#endTurn();
			options.headers = { ...options.headers, Authorization: `Bearer ${accessToken}` };
			return await this.httpRequest(options);
		}
		const isNew = newTokens.find(credential, accessToken) === true && lifetime >= LONG_LIFE;
		if (isNew) return answer;
		this.#state = 'renewing';
		void untilAborted(options.abortSignal).catch(() => this.#stopWaiting());
		throw new Unauthorized();
	}

	#fail(reason: string): ServiceError {
		this.#failure = notRenewed(this.#session, reason);
		return this.#failure;
	}

	/** n8n does not bound the time of a renewal. If it completes after all, nothing more is sent. */
	#stopWaiting(): void {
		if (this.#state !== 'renewing') return;
		this.#state = 'given up';
		this.#giveUp(this.#fail('its access token URL does not answer in time'));
	}

	#failureOf(error: unknown): ServiceError | undefined {
		const { credential } = this.#session;
		if (error instanceof ServiceError) {
			const { httpStatus, outcome } = error.details;
			const isRejected =
				this.#state === 'again' && httpStatus === UNAUTHORIZED && outcome !== 'unknown';
			return isRejected ? rejectedAfterRenewal(error, this.#session) : error;
		}
		if (this.#state !== 'renewing' || this.#tokens === undefined) return undefined;
		const { accessToken, hasRefreshToken } = this.#tokens;
		const { failure, hasEnded } = signInFailure(error, this.#session, hasRefreshToken) ?? {};
		if (failure !== undefined && hasEnded === true) {
			endedSignIns.add(credential, accessToken, failure);
		}
		return failure;
	}
}

/**
 * Sends a request so that n8n renews its sign-in once, when the service refuses the access token with a 401, and sends the
 * same request again. n8n renews when its HTTP client throws a 401; but before 2.11 it cannot be made to throw that status
 * and no other, and an error contains less than an answer. So the helper that n8n sends with is replaced here: it returns
 * every answer unchanged to n8n, except for the 401 that requires a renewal.
 *
 * @param session result of `openSignIn` for the request; without one, the request is just sent
 * @param send makes n8n send the request, in the context that it is passed
 * @throws ServiceError when the sign-in could not be renewed, and whatever `send` throws.
 */
export async function sendRenewing<T, C extends Context>(
	context: C,
	session: SignIn | undefined,
	send: (context: C) => Promise<T>,
): Promise<T> {
	if (session === undefined) return await send(context);
	const { helpers } = context;
	const request = new RenewingRequest(
		async (options) => await helpers.httpRequest(options),
		session,
	);
	const renewing = deriveContext(context, {
		helpers: deriveContext(helpers, { httpRequest: request.httpRequest }),
	});
	return await request.run(async () => await send(renewing));
}
