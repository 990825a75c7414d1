import type { IExecuteSingleFunctions, IHttpRequestOptions, PreSendAction } from 'n8n-workflow';

import { startOrJoinRun } from './node-run';

/** What all requests have in common, whichever way they go out. */
export const commonRequestOptions = {
	// Text, because n8n's own JSON parsing rounds integers beyond 2^53.
	encoding: 'text',
	ignoreHttpStatusErrors: true,
	disableFollowRedirect: true,
	sendCredentialsOnCrossOriginRedirect: false,
} as const;

/** What an item brings to its request and its answer. */
interface PreparedRequest {
	readonly request: IHttpRequestOptions;
	/** Checked values behind the `:names` of the route. */
	values: Readonly<Record<string, string>>;
	/** Why the item must not be sent. */
	refusal?: unknown;
}

/** n8n makes one context per item and hands the same one to `preSend` and `postReceive`. */
const preparedRequests = new WeakMap<object, PreparedRequest>();

/**
 * Fills a request in place from an item's parameters.
 *
 * @returns the checked values that stand behind the `:names` of the route
 * @throws InvalidInput when a parameter is not right.
 */
export type FillRequest = (
	context: IExecuteSingleFunctions,
	request: IHttpRequestOptions,
) => Promise<Readonly<Record<string, string>>>;

/**
 * A `preSend` function that fills the request, and sets what all requests have in common. A refused item waits for its
 * turn and fails there like any other: with its index, and without disturbing the good items.
 */
export function prepare(fill: FillRequest): PreSendAction {
	return async function (this: IExecuteSingleFunctions, request) {
		startOrJoinRun(this);
		Object.assign(request, commonRequestOptions);
		const prepared: PreparedRequest = { request, values: {} };
		preparedRequests.set(this, prepared);
		try {
			prepared.values = await fill(this, request);
		} catch (error) {
			prepared.refusal = error;
		}
		return request;
	};
}

/** What `prepare` found for this item; throws the reason when the item must not be sent. */
export function preparedFor(context: object): PreparedRequest {
	const prepared = preparedRequests.get(context);
	if (prepared === undefined) throw new Error('The request was not prepared');
	if (prepared.refusal !== undefined) throw prepared.refusal;
	return prepared;
}
