import type {
	IExecuteSingleFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';

import { monotonicMs } from '../../values/clock';
import type { Once } from '../../values/caches';
import { parseJsonExact } from '../../values/json';
import { settle } from '../../values/settle';
import type { Account } from '../credential/account';
import { readAccount } from '../credential/account';
import type { CredentialType } from '../credential/active-credential';
import { RENEWED_CREDENTIAL } from '../credential/active-credential';
import type { GetCredentials } from '../credential/shared-credential';
import { deriveContext } from '../credential/shared-credential';
import { connectionFailure, refusedInput, THROWN } from '../failure/connection';
import { TOO_MANY_REQUESTS, withFittingHint } from '../failure/http-status';
import { ServiceError } from '../failure/service-error';
import { afterRenewal, sendSignedIn } from '../sign-in/renewal';
import { openSignIn } from '../sign-in/sign-in';
import type { Received } from './answer';
import { receive, successOf } from './answer';
import { readAnswer } from './body';
import { pause, withDeadline } from './deadline';
import type { RequestSettings } from './options';
import type { PageLinks } from './page-links';
import { pageLinks } from './page-links';
import { pauseMs } from './retry';
import type { Route } from './routes';
import { ROUTES } from './routes';

const ALL_REQUESTS = {
	// n8n's own JSON parsing rounds integers beyond 2^53, and as text it reads any number of bytes.
	encoding: 'stream',
	ignoreHttpStatusErrors: { ignore: true, except: THROWN },
	disableFollowRedirect: true,
	sendCredentialsOnCrossOriginRedirect: false,
	returnFullResponse: true,
} as const;

/** n8n repeats a request whenever it renews a sign-in, even after a 401 that it cannot read (see `sendSignedIn`). */
const NO_RENEWAL = { oauth2: { skipTokenRefresh: true } };

/** The n8n contexts that send requests: of an item, a poll, or a list in a form. */
export type ClientContext = IExecuteSingleFunctions | IPollFunctions | ILoadOptionsFunctions;

/** The part of a run that its requests need. */
export interface Gate {
	readonly settings: RequestSettings;
	readonly credentialType: CredentialType;
	/** Deadline for the last answer, in milliseconds of {@link monotonicMs}. */
	readonly endsAt: number;
	throwIfStopped(cancel: AbortSignal | undefined): void;
	readonly throttle: {
		run<T>(cancel: AbortSignal | undefined, attempt: () => Promise<T>): Promise<T>;
		hold(milliseconds: number): void;
	};
	/** Look-ups, and answers to equal requests, that items share. */
	readonly once: Once;
	/** Whether each item sends its own requests. */
	readonly isSequential: boolean;
}

/** A request: its path, beginning with `/v1`, and for a POST its body as JSON text. */
export interface ServiceRequest {
	readonly method: Route['method'];
	readonly url: string;
	readonly body?: string;
	readonly headers?: Readonly<Record<string, string>>;
}

export interface SendOptions<T> {
	/** Reads the result from the answer, whatever its status. @throws ServiceError if it is not a success. */
	readonly read: (received: Received) => T;
	/** Opens the credential for each attempt; by default, the context opens it. */
	readonly openCredential?: () => Promise<GetCredentials>;
	/** Maximum number of attempts; by default that of the run. */
	readonly maxTries?: number;
	/** Whether an attempt of unknown outcome may be repeated, because the request has a key. */
	readonly isRepeatable?: boolean;
	readonly onPause?: (failure: ServiceError) => void;
}

/** Makes one attempt of a request. @throws ServiceError if it fails; InvalidInputError if the credential cannot be used. */
async function exchange<T>(
	given: ClientContext,
	gate: Gate,
	request: ServiceRequest,
	{ read, openCredential, cancel }: SendOptions<T> & { readonly cancel: AbortSignal | undefined },
): Promise<T> {
	const { credentialType: type, settings, endsAt } = gate;
	gate.throwIfStopped(cancel);
	const getCredentials = await openCredential?.();
	const own = getCredentials && { getCredentials };
	const context = (own ? deriveContext(given, own) : given) as IExecuteSingleFunctions;
	const signIn = type === RENEWED_CREDENTIAL ? await openSignIn(context) : undefined;
	// `AbortSignal.timeout` accepts only whole numbers from 0, and the time of a poll may have ended just now.
	const timeout = Math.max(0, Math.ceil(Math.min(settings.timeoutMs, endsAt - monotonicMs())));
	const sent: IHttpRequestOptions = {
		...ALL_REQUESTS,
		...request,
		headers: {
			...request.headers,
			...(request.body !== undefined && { 'Content-Type': 'application/json' }),
		},
		timeout,
		...signIn?.options,
	};
	const isWrite = request.method === 'PUT' || request.url === ROUTES.write.url;
	try {
		const response = await withDeadline(cancel, timeout, async (signal) => {
			// n8n takes the signal of a request from its context.
			const timed = deriveContext(context, { getExecutionCancelSignal: () => signal });
			const send = async () =>
				await readAnswer(
					timed.helpers.httpRequestWithAuthentication.call(timed, type, sent, NO_RENEWAL),
					{ url: request.url, isWrite },
				);
			return await (signIn ? sendSignedIn(timed, signIn, isWrite, send) : send());
		});
		return read(receive(response, sent.headers?.Authorization));
	} catch (error) {
		const isRead = error instanceof ServiceError;
		const refused = isRead ? undefined : refusedInput(error);
		if (refused) throw refused;
		const failure = isRead
			? withFittingHint(afterRenewal(error, signIn), request)
			: connectionFailure(error, { cancel, isWrite });
		throw failure.with({ endpoint: `${request.method} ${request.url}` });
	}
}

/**
 * Sends the requests of one item or poll; no other code sends requests.
 *
 * @example await new ServiceClient(context, run).get('/v1/users/DISCORD-1') // { id: 'DISCORD-1', … }
 */
export class ServiceClient {
	readonly cancel: AbortSignal | undefined;

	readonly #context: ClientContext;

	readonly #gate: Gate;

	#account: Promise<Account> | undefined;

	constructor(context: ClientContext, gate: Gate) {
		this.#context = context;
		this.#gate = gate;
		// A poll has no cancel signal.
		const isExecuted = 'getExecutionCancelSignal' in context;
		this.cancel = isExecuted ? context.getExecutionCancelSignal() : undefined;
	}

	/** A client that also sends after the run was stopped, until `endsAt`: the outcome of a write must still be found out. */
	evenIfStopped(endsAt: number): ServiceClient {
		const context = deriveContext(this.#context, { getExecutionCancelSignal: () => undefined });
		return new ServiceClient(context, { ...this.#gate, endsAt, throwIfStopped: () => undefined });
	}

	/** Reads the credential, once for all look-ups of this client. */
	async account(): Promise<Account> {
		this.#account ??= readAccount(this.#context, this.#gate.credentialType);
		return await this.#account;
	}

	/** Performs a look-up once per run and account. */
	async once<T>(what: readonly unknown[], make: () => Promise<T>, options = {}): Promise<T> {
		const { key } = await this.account();
		return await this.#gate.once.get(JSON.stringify([key, ...what]), make, options);
	}

	/**
	 * Requests the JSON value at a path. Items of a run with the same request share one answer, unless it must be `fresh`.
	 *
	 * @throws ServiceError if the answer is not a success.
	 */
	async get(url: string, { fresh = false } = {}): Promise<unknown> {
		return (await this.#ask({ method: 'GET', url }, fresh)).value;
	}

	/** Requests one page of a list; otherwise like `get`. */
	async getPage(
		url: string,
		{ fresh = false } = {},
	): Promise<{ value: unknown; links: PageLinks }> {
		const { value, link } = await this.#ask({ method: 'GET', url }, fresh);
		return { value, links: pageLinks(link, url, (await this.account()).baseUrl) };
	}

	/** Posts a body to a path and returns the JSON value of the answer; otherwise like `get`. */
	async post(url: string, body: string, { fresh = false } = {}): Promise<unknown> {
		return (await this.#ask({ method: 'POST', url, body }, fresh)).value;
	}

	/**
	 * Sends a request and retries it while that is safe and may help, until it runs out of attempts or time, or the
	 * execution is cancelled. No library is used, because libraries wait with timers, which n8n forbids in nodes (see `pause`).
	 *
	 * @throws ServiceError of the last attempt; InvalidInputError if the credential cannot be used.
	 */
	async send<T>(request: ServiceRequest, options: SendOptions<T>): Promise<T> {
		const { cancel } = this;
		const { settings, endsAt, throttle } = this.#gate;
		const { maxTries = settings.maxTries, isRepeatable = false, onPause } = options;
		const end = Math.min(monotonicMs() + settings.retryForMs, endsAt);
		const isCancelled = () => cancel?.aborted === true;
		for (let tries = 1; ; tries++) {
			const attempt = async () =>
				await exchange(this.#context, this.#gate, request, { ...options, cancel });
			const result = await settle(throttle.run(cancel, attempt));
			if (result.status === 'fulfilled') return result.value;
			const failure: unknown = result.reason;
			if (!(failure instanceof ServiceError)) throw failure;
			const { state, httpStatus, retryAfterMs } = failure.details;
			const wait = pauseMs(tries, retryAfterMs);
			const isLast = tries >= maxTries || monotonicMs() + wait > end || isCancelled();
			const isSafe = state === 'refused-for-now' || (isRepeatable && state === 'unknown');
			const mayRetry = isSafe && !isLast;
			if (mayRetry) {
				// The service limits all requests together, so the other items wait too.
				if (httpStatus === TOO_MANY_REQUESTS) throttle.hold(wait);
				onPause?.(failure);
				await pause(wait, cancel);
			}
			if (mayRetry && !isCancelled()) continue;
			const message = `${failure.details.message} (tried ${tries} times)`;
			throw tries === 1 ? failure : failure.with({ message });
		}
	}

	async #ask(request: ServiceRequest, fresh: boolean): Promise<{ value: unknown; link: string }> {
		let own: { readonly value: unknown } | undefined;
		const ask = async () =>
			await this.send(request, {
				read: (received) => {
					own = { value: successOf(received, request.url) };
					return [received.text, String(received.response.headers.link ?? '')] as const;
				},
			});
		const mayShare = !fresh && !this.#gate.isSequential;
		// Without a usable credential, the request itself reports the error.
		const isShared = mayShare && (await settle(this.account())).status === 'fulfilled';
		const [text, link] = await (isShared ? this.once([request], ask, { mayForget: true }) : ask());
		// Each item gets its own copy of the value, so that changes to one do not affect another.
		return { value: own === undefined ? parseJsonExact(text) : own.value, link };
	}
}
