import type {
	IExecuteSingleFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
	PreSendAction,
} from 'n8n-workflow';

import { parseSwitch } from '../values/switch';
import { executionSignal, setDeadline } from './deadline';
import type { NodeRun, SendingOrder } from './node-run';
import { startOrJoinRun } from './node-run';
import { parameterReader } from './read-parameter';
import { assertOwnValues } from './tool-call';

/** What all requests have in common, whichever way they go out. */
export const commonRequestOptions = {
	// Text, because n8n's own JSON parsing rounds integers beyond 2^53.
	encoding: 'text',
	ignoreHttpStatusErrors: true,
	disableFollowRedirect: true,
	sendCredentialsOnCrossOriginRedirect: false,
} as const;

/** Makes a request in an item's turn: bounded, and tried again when that is safe. */
export type SendInTurn = <T>(attempt: () => Promise<T>) => Promise<T>;

/** What an item brings to its request and its answer. */
export interface PreparedRequest {
	/** The item's own, by which n8n sends. */
	readonly context: IExecuteSingleFunctions;
	readonly request: IHttpRequestOptions;
	readonly run: NodeRun;
	/** The execution's own signal. */
	readonly cancel: AbortSignal | undefined;
	/** Checked values behind the `:names` of the route. */
	values: Readonly<Record<string, string>>;
	/** Whether the output is the simplified one. */
	isSimple: boolean;
	/** Why no item of the run may be sent. */
	readonly refusal: unknown;
	/** Completes the reason why the item failed. */
	readonly explain: (error: unknown) => unknown;
	/** Fills the request in the item's turn; the values are what it gives. */
	readonly fill: () => ReturnType<FillRequest>;
	/**
	 * Completes the filled request, when that takes requests of its own. Items that it returns are the
	 * output, and the request is not sent.
	 */
	complete?: (send: SendInTurn) => Promise<INodeExecutionData[] | undefined>;
}

/** By request, and by the context that n8n hands to both `preSend` and `postReceive` of an item. */
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

/** Gives the reason why an item failed, from the one that came up. */
export type ExplainFailure = (context: IExecuteSingleFunctions, error: unknown) => unknown;

/**
 * A `preSend` function that sets what all requests have in common. The request is filled in the item's turn only: n8n's own
 * routing calls this for all items without a break, and nothing leaves until it is through with them.
 *
 * @param order whether the requests of a run may be under way together
 * @param explain completes the reason why an item failed
 */
export function prepare(
	fill: FillRequest,
	order: SendingOrder = 'together',
	explain: ExplainFailure = (_context, error) => error,
): PreSendAction {
	return async function (this: IExecuteSingleFunctions, request) {
		const run = startOrJoinRun(this, order);
		const prepared: PreparedRequest = {
			context: this,
			request,
			run,
			cancel: executionSignal(this),
			values: {},
			isSimple: true,
			explain: (error) => explain(this, error),
			refusal: run.refusal,
			fill: async () => {
				assertOwnValues(this);
				prepared.isSimple = parseSwitch(parameterReader(this)('simplify', true), 'simplify');
				return await fill(this, request);
			},
		};
		const { timeoutMs: timeout, network } = run.settings;
		Object.assign(request, commonRequestOptions, network, { timeout });
		setDeadline(this, timeout);
		// A write is checked against the policy as it is when the write leaves.
		if (order === 'together') run.credential.join(this);
		preparedRequests.set(this, prepared).set(request, prepared);
		return request;
	};
}

/** What `prepare` made for an item, found by its context or its request. */
export function preparedFor(key: object): PreparedRequest {
	const prepared = preparedRequests.get(key);
	if (prepared === undefined) throw new Error('The request was not prepared');
	return prepared;
}
