import type {
	DeclarativeRestApiSettings,
	IExecutePaginationFunctions,
	INodeExecutionData,
} from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import { CallFailure } from './call-failure';
import { connectionFailure } from './connection-failure';
import { toErrorItem, toNodeError } from './node-error';
import { openSession } from './oauth-session';
import type { PreparedRequest, SendInTurn } from './prepare';
import { preparedFor } from './prepare';
import { sendRenewing } from './renewal';
import { withRetry } from './retry';
import { isTool } from './tool-call';

const TOO_MANY_REQUESTS = 429;

/** Makes the request of an item, once. */
async function makeRequest(
	context: IExecutePaginationFunctions,
	requestData: DeclarativeRestApiSettings.ResultOptions,
	{ run, cancel, context: ofItem }: PreparedRequest,
): Promise<INodeExecutionData[]> {
	const session = await openSession(context, requestData.options);
	const start = Date.now();
	try {
		const send = async () => await context.makeRoutingRequest(requestData);
		const items = await sendRenewing(ofItem, session, send);
		run.pace.noteAnswer(Date.now() - start);
		return items;
	} catch (error) {
		// n8n's HTTP client wraps what went wrong on the way; our own failures pass as they are.
		throw error instanceof NodeApiError ? connectionFailure(error, cancel) : error;
	}
}

async function fill(prepared: PreparedRequest): Promise<void> {
	const { run, cancel, refusal } = prepared;
	if (refusal !== undefined) throw refusal;
	run.assertGoingOn(cancel);
	await run.pace.untilClear();
	prepared.values = await prepared.fill();
}

async function send(
	prepared: PreparedRequest,
	attemptItem: () => Promise<INodeExecutionData[]>,
): Promise<INodeExecutionData[]> {
	const { run, cancel } = prepared;
	run.assertGoingOn(cancel);
	await run.pace.untilClear();
	const rules = {
		settings: run.settings,
		cancel,
		mayRetry: ({ details }: CallFailure) => details.isPassing === true,
		onPause: ({ details }: CallFailure, milliseconds: number) => {
			// The service means all of us: the other items wait as well.
			if (details.httpStatus === TOO_MANY_REQUESTS) run.holdFor(milliseconds);
		},
	};
	const sendInItsTurn: SendInTurn = async (attempt) =>
		await withRetry(rules, async () => {
			await run.untilResumed(cancel);
			run.assertGoingOn(cancel);
			return await attempt();
		});
	const output = await prepared.complete?.(sendInItsTurn);
	return output ?? (await sendInItsTurn(attemptItem));
}

/**
 * The way out for every operation. Items are sent a bounded number at a time, and tried again when that is safe. A failed
 * item becomes an error item when the run goes on; otherwise it ends the run, and what has not been sent stays unsent.
 * `executeRoute` calls it for each item; n8n's own routing, which starts all items at once, by `requestOperations.pagination`.
 */
export async function sendInTurn(
	this: IExecutePaginationFunctions,
	requestData: DeclarativeRestApiSettings.ResultOptions,
): Promise<INodeExecutionData[]> {
	const prepared = preparedFor(requestData.options);
	const { run } = prepared;
	const itemIndex = this.getItemIndex();
	await run.places.take();
	// Ahead of its turn, in which nothing but its request is to be waited for. What is wrong with it counts in its turn.
	const [filled] = await Promise.allSettled([fill(prepared)]);
	await run.turns.take();
	try {
		if (filled.status === 'rejected') throw filled.reason;
		return await send(prepared, async () => await makeRequest(this, requestData, prepared));
	} catch (failure) {
		const error = prepared.explain(failure);
		const { method = 'GET', url } = requestData.options;
		const endpoint = `${method} ${url}`;
		const { done, isWriting } = run;
		const node = this.getNode();
		const place = { node, itemIndex, endpoint, done, isWriting, isTool: isTool(this) };
		if (this.continueOnFail()) return [toErrorItem(error, place)];
		run.failedItem ??= itemIndex;
		throw toNodeError(error, place);
	} finally {
		run.turns.end();
		run.places.end();
	}
}
