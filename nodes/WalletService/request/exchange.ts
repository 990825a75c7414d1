import type { IExecuteSingleFunctions, IHttpRequestOptions, IPollFunctions } from 'n8n-workflow';

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
	try {
		return await sendRenewing(bounded, session, async () => {
			const type = activeCredentialType(context);
			const send = context.helpers.httpRequestWithAuthentication;
			const response = await send.call(bounded, type, options);
			return readAnswer(response, options.headers?.Authorization);
		});
	} catch (error) {
		throw error instanceof CallFailure ? error : connectionFailure(error, cancel);
	}
}
