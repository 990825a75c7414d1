import type {
	IExecuteSingleFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
	IPollFunctions,
} from 'n8n-workflow';

import { activeCredentialType } from './active-credential';
import { readAnswer } from './answer';
import { CallFailure } from './call-failure';
import { connectionFailure } from './connection-failure';
import { executionSignal, setDeadline } from './deadline';
import { openSession } from './oauth-session';
import type { RequestSettings } from './options';
import { commonRequestOptions } from './prepare';
import { sendRenewing } from './renewal';

/** Contexts that send requests of their own. */
type Context = IExecuteSingleFunctions | IPollFunctions;

/** An answer, with the header that was sent for it, so that its token can be removed wherever the answer repeats it. */
export interface Sent {
	readonly response: IN8nHttpFullResponse;
	readonly authorization: unknown;
}

/**
 * Sends one request that is not routed declaratively, once.
 *
 * @param request method, path and, for a POST, the JSON text of its body
 * @param settings how long it may take as a whole, and which way it leaves
 * @param read what becomes of the answer, whatever its status
 * @throws CallFailure when there is no answer; what `read` throws.
 */
export async function send<T>(
	context: Context,
	request: Pick<IHttpRequestOptions, 'method' | 'url' | 'body'>,
	{ timeoutMs, network }: Pick<RequestSettings, 'timeoutMs' | 'network'>,
	read: (sent: Sent) => T,
): Promise<T> {
	const options: IHttpRequestOptions = {
		...commonRequestOptions,
		...network,
		...request,
		...(request.body !== undefined && { headers: { 'Content-Type': 'application/json' } }),
		returnFullResponse: true,
		timeout: timeoutMs,
	};
	const cancel = executionSignal(context);
	const session = await openSession(context, options);
	const bounded: IExecuteSingleFunctions = Object.create(context);
	setDeadline(bounded, timeoutMs);
	try {
		return await sendRenewing(bounded, session, async () => {
			const type = activeCredentialType(context);
			const sendByN8n = context.helpers.httpRequestWithAuthentication;
			const response: IN8nHttpFullResponse = await sendByN8n.call(bounded, type, options);
			return read({ response, authorization: options.headers?.Authorization });
		});
	} catch (error) {
		throw error instanceof CallFailure ? error : connectionFailure(error, cancel);
	}
}

/**
 * Sends one request (see `send`) and reads its answer.
 *
 * @returns the JSON value of the answer
 * @throws CallFailure when it is not a success.
 */
export async function exchange(
	context: Context,
	request: Parameters<typeof send>[1],
	settings: Parameters<typeof send>[2],
): Promise<unknown> {
	return await send(context, request, settings, ({ response, authorization }) =>
		readAnswer(response, authorization, request.url),
	);
}
