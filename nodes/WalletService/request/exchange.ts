import type {
	IExecuteSingleFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
	IPollFunctions,
} from 'n8n-workflow';

import { activeCredentialType } from './active-credential';
import { readAnswer } from './answer';
import { executionSignal, setDeadline } from './deadline';
import type { RequestSettings } from './options';
import { openSession, requestFailure } from './oauth-session';
import { commonRequestOptions } from './prepare';

/** Contexts that send requests of their own. */
type Context = IExecuteSingleFunctions | IPollFunctions;

/**
 * Sends one request that is not routed declaratively, once.
 *
 * @param request method, path and, for a POST, the JSON text of its body
 * @param settings how long it may take as a whole, and which way it leaves
 * @returns the JSON value of the answer
 * @throws CallFailure when it is not a success.
 */
export async function exchange(
	context: Context,
	request: Pick<IHttpRequestOptions, 'method' | 'url' | 'body'>,
	{ timeoutMs, network }: Pick<RequestSettings, 'timeoutMs' | 'network'>,
): Promise<unknown> {
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
	let response: IN8nHttpFullResponse;
	try {
		response = await context.helpers.httpRequestWithAuthentication.call(
			bounded,
			activeCredentialType(context),
			options,
		);
	} catch (error) {
		throw await requestFailure(error, session, cancel);
	}
	return readAnswer(response, options.headers?.Authorization, request.url);
}
