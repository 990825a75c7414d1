import type {
	DeclarativeRestApiSettings,
	IExecutePaginationFunctions,
	INodeExecutionData,
} from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import { CallFailure } from './call-failure';
import { connectionFailure } from './connection-failure';
import { toErrorItem, toNodeError } from './node-error';
import { runOf } from './node-run';
import { preparedFor } from './prepare';

async function send(
	context: IExecutePaginationFunctions,
	requestData: DeclarativeRestApiSettings.ResultOptions,
): Promise<INodeExecutionData[]> {
	preparedFor(Object.getPrototypeOf(context));
	try {
		return await context.makeRoutingRequest(requestData);
	} catch (error) {
		// n8n's HTTP client wraps what went wrong on the way; our own failures pass as they are.
		throw error instanceof NodeApiError ? connectionFailure(error) : error;
	}
}

/**
 * The way out for every declarative operation, given to `requestOperations.pagination`: n8n starts all items at once,
 * here they are sent a bounded number at a time. A failed item becomes an error item when the run goes on; otherwise
 * it ends the run, and what has not been sent stays unsent.
 */
export async function sendInTurn(
	this: IExecutePaginationFunctions,
	requestData: DeclarativeRestApiSettings.ResultOptions,
): Promise<INodeExecutionData[]> {
	const run = runOf(this);
	const itemIndex = this.getItemIndex();
	await run.takeTurn();
	try {
		if (run.failedItem !== undefined || this.getExecutionCancelSignal()?.aborted) {
			throw new CallFailure({
				message: `Not sent, because ${run.failedItem === undefined ? 'the execution was cancelled' : `item ${run.failedItem} failed`}`,
				hint: 'Nothing happened for this item',
			});
		}
		return await send(this, requestData);
	} catch (error) {
		const { method = 'GET', url = '' } = requestData.options;
		const place = { node: this.getNode(), itemIndex, endpoint: `${method} ${url}` };
		if (this.continueOnFail()) return [toErrorItem(error, place)];
		run.failedItem ??= itemIndex;
		throw toNodeError(error, place);
	} finally {
		run.endTurn();
	}
}
