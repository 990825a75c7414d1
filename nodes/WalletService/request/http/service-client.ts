import type {
	IExecuteSingleFunctions,
	IN8nHttpFullResponse,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';

import { monotonicMs } from '../../values/clock';
import type { Once } from '../../values/caches';
import { settle } from '../../values/settle';
import { activeCredentialType, readActiveCredential } from '../credential/active-credential';
import { deriveContext } from '../credential/derive-context';
import { afterRenewal, sendSignedIn } from '../sign-in/renewal';
import type { GetCredentials } from '../credential/shared-credential';
import { openSignIn } from '../sign-in/sign-in';
import { connectionFailure, refusedInput } from '../failure/connection';
import { withFittingHint } from '../failure/fitting-hint';
import { ServiceError } from '../failure/service-error';
import { readAnswer } from './answer';
import { executionSignal, requestSignal } from './deadline';
import type { RequestSettings } from './options';
import { withRetry } from './retry';

const TOO_MANY_REQUESTS = 429;

/** What all requests have in common. */
const COMMON = {
	// Text, because n8n's own JSON parsing rounds integers beyond 2^53.
	encoding: 'text',
	ignoreHttpStatusErrors: true,
	disableFollowRedirect: true,
	sendCredentialsOnCrossOriginRedirect: false,
	returnFullResponse: true,
} as const;

/** Contexts in which requests are sent: an item's own, that of a poll, or that of a list in a form. */
export type ClientContext = IExecuteSingleFunctions | IPollFunctions | ILoadOptionsFunctions;

/** The run that requests belong to, as far as they need it. */
export interface Gate {
	readonly settings: RequestSettings;
	/** Deadline for the last answer, in milliseconds of {@link monotonicMs}. */
	readonly endsAt: number;
	/** @throws ServiceError when nothing more may be sent. */
	throwIfStopped(cancel: AbortSignal | undefined): void;
	readonly throttle: {
		/** Makes a try as soon as it may be sent. */
		request<T>(cancel: AbortSignal | undefined, attempt: () => Promise<T>): Promise<T>;
		/** Holds back all requests for a time, in milliseconds. */
		hold(milliseconds: number): void;
	};
	/** Answers that serve all items which ask for the same; `undefined` where each item asks by itself. */
	readonly sharedAnswers: Once | undefined;
}

/** One request: its path from `/v1` on, and for a POST the JSON text of its body. */
export interface ServiceRequest {
	readonly method: 'GET' | 'POST';
	readonly url: string;
	readonly body?: string;
}

/** An answer, with the header that was sent for it, so that its token can be removed wherever the answer repeats it. */
export interface Received {
	readonly response: IN8nHttpFullResponse;
	readonly authorization: unknown;
}

/** How one request is opened, read and judged. */
export interface SendOptions<T> {
	/** Reads the result from the answer, whatever its status. @throws ServiceError when it is not a success. */
	readonly read: (received: Received) => T;
	/** Opens the credential for each try; by default the context's own. */
	readonly openCredential?: () => Promise<GetCredentials>;
	/** Completes the failure of a try, which then decides whether another try may follow. */
	readonly judge?: (error: unknown) => unknown;
	/** Called before every pause. */
	readonly onPause?: (failure: ServiceError) => void;
}

const sizeOf = ({ response }: Received): number => String(response.body).length;

function valueOf({ response, authorization }: Received, { url }: ServiceRequest): unknown {
	return readAnswer(response, authorization, url);
}

/**
 * Sends the requests of one item, or of a poll: nothing else sends any.
 *
 * @example await new ServiceClient(context, run).get('/v1/users/DISCORD-1') // { id: 'DISCORD-1', … }
 */
export class ServiceClient {
	readonly #context: ClientContext;

	readonly #gate: Gate;

	readonly #cancel: AbortSignal | undefined;

	constructor(context: ClientContext, gate: Gate) {
		this.#context = context;
		this.#gate = gate;
		this.#cancel = executionSignal(context);
	}

	/** The JSON value at a path. @throws ServiceError when the answer is not a success. */
	async get(url: string): Promise<unknown> {
		return await this.#exchange({ method: 'GET', url });
	}

	/** The JSON value that answers a body sent to a path. @throws ServiceError when the answer is not a success. */
	async post(url: string, body: string): Promise<unknown> {
		return await this.#exchange({ method: 'POST', url, body });
	}

	/** Like `get`, but asked once for all items of the run that ask for the same with the same credential. */
	async getOnce(url: string): Promise<unknown> {
		return await this.#exchangeOnce({ method: 'GET', url });
	}

	/** Like `post`, but asked once for all items of the run that ask for the same with the same credential. */
	async postOnce(url: string, body: string): Promise<unknown> {
		return await this.#exchangeOnce({ method: 'POST', url, body });
	}

	/**
	 * Sends a request, and retries it after a failure that may pass and makes a retry safe (`isTransient`).
	 *
	 * @throws ServiceError of the last try; InvalidInputError when the credential cannot be used.
	 */
	async send<T>(request: ServiceRequest, options: SendOptions<T>): Promise<T> {
		const { settings, endsAt, throttle } = this.#gate;
		const rules = {
			...{ settings, endsAt, cancel: this.#cancel },
			onPause: (failure: ServiceError, milliseconds: number) => {
				// The limit is for all requests, so the other items wait as well.
				if (failure.details.httpStatus === TOO_MANY_REQUESTS) throttle.hold(milliseconds);
				options.onPause?.(failure);
			},
		};
		const attempt = async (): Promise<T> => {
			this.#gate.throwIfStopped(this.#cancel);
			const result = await settle(this.#sendOnce(request, options));
			if (result.status === 'fulfilled') return result.value;
			throw options.judge?.(result.reason) ?? result.reason;
		};
		return await withRetry(rules, async () => await throttle.request(this.#cancel, attempt));
	}

	async #exchange(request: ServiceRequest): Promise<unknown> {
		return await this.send(request, {
			read: (received) => valueOf(received, request),
		});
	}

	async #exchangeOnce(request: ServiceRequest): Promise<unknown> {
		const { sharedAnswers } = this.#gate;
		if (sharedAnswers === undefined) return await this.#exchange(request);
		const credential = await settle(readActiveCredential(this.#context));
		// Sending says what is wrong with it.
		if (credential.status === 'rejected') return await this.#exchange(request);
		const { baseUrl, accessToken } = credential.value;
		const key = JSON.stringify([baseUrl, accessToken, request]);
		let own: { readonly value: unknown } | undefined;
		const ask = async () =>
			await this.send(request, {
				read: (received) => {
					own = { value: valueOf(received, request) };
					return received;
				},
			});
		const received = await sharedAnswers.get(key, ask, sizeOf);
		// Each item gets a value of its own: what one of them changes must not show in another.
		return own === undefined ? valueOf(received, request) : own.value;
	}

	async #sendOnce<T>(
		request: ServiceRequest,
		{ read, openCredential }: SendOptions<T>,
	): Promise<T> {
		const { settings, endsAt } = this.#gate;
		// `AbortSignal.timeout` takes whole numbers only.
		const timeoutMs = Math.ceil(Math.min(settings.timeoutMs, endsAt - monotonicMs()));
		const options: IHttpRequestOptions = {
			...COMMON,
			...settings.network,
			...request,
			...(request.body !== undefined && { headers: { 'Content-Type': 'application/json' } }),
			timeout: timeoutMs,
		};
		const getCredentials = await openCredential?.();
		const signal = requestSignal(this.#cancel, timeoutMs);
		const context: IExecuteSingleFunctions = deriveContext(this.#context, {
			// n8n takes the signal of a request from its context.
			getExecutionCancelSignal: () => signal,
			...(getCredentials !== undefined && { getCredentials }),
		}) as IExecuteSingleFunctions;
		const type = activeCredentialType(context);
		const signIn = await openSignIn(context);
		const sent = { ...options, ...signIn?.options };
		const send = async (): Promise<IN8nHttpFullResponse> =>
			await context.helpers.httpRequestWithAuthentication.call(context, type, sent);
		try {
			const response =
				signIn === undefined ? await send() : await sendSignedIn(signIn, signal, send);
			return read({ response, authorization: sent.headers?.Authorization });
		} catch (error) {
			if (error instanceof ServiceError) {
				throw withFittingHint(afterRenewal(error, signIn), request);
			}
			throw refusedInput(error) ?? connectionFailure(error, this.#cancel);
		}
	}
}
