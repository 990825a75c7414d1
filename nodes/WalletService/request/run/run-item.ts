import type { INodeExecutionData } from 'n8n-workflow';

import { settle } from '../../values/settle';
import { toErrorItem, toNodeError } from '../failure/node-error';
import { executionSignal } from '../http/deadline';
import { ServiceClient } from '../http/service-client';
import type { Item } from './item';
import type { Planned, PlannedRequest } from './plan';
import type { Run } from './run';
import { assertOwnValues, isTool } from './tool-call';

async function planItem({ plan, route }: Planned, item: Item, run: Run): Promise<PlannedRequest> {
	if (run.invalidOptions !== undefined) throw run.invalidOptions;
	run.throwIfStopped(executionSignal(item.context));
	await run.pacer.yield();
	assertOwnValues(item.context);
	return await plan(item, run, route);
}

async function sendItem(
	planned: PromiseSettledResult<PlannedRequest>,
	{ context, index }: Item,
	run: Run,
): Promise<INodeExecutionData[]> {
	if (planned.status === 'rejected') throw planned.reason;
	run.throwIfStopped(executionSignal(context));
	await run.pacer.yield();
	const entries = await planned.value.send(new ServiceClient(context, run));
	return entries.map((json) => ({ json, pairedItem: { item: index } }));
}

/**
 * What becomes of an item that failed: an error item when the run goes on.
 *
 * @throws NodeApiError or NodeOperationError when the run ends with it; nothing is sent after it.
 */
function failItem(
	{ route, input, output, explain }: Planned,
	item: Item,
	run: Run,
	{ failure, url = route.url }: { readonly failure: unknown; readonly url?: string },
): INodeExecutionData {
	const { context, index } = item;
	const error = explain?.(item, failure) ?? failure;
	const place = {
		node: context.getNode(),
		parameters: [...input, ...output],
		itemIndex: index,
		endpoint: `${route.method} ${url}`,
		submitted: run.submitted,
		isWriting: run.isSequential,
		isTool: isTool(context),
	};
	if (context.continueOnFail()) return toErrorItem(error, place);
	run.firstFailure ??= index;
	throw toNodeError(error, place);
}

/**
 * The way of one item, in both doorways: it is planned ahead of its slot, sent in it, and tried again where that is safe. A
 * failed item becomes an error item when the run goes on; otherwise it ends the run, and what has not been sent stays unsent.
 *
 * @throws NodeApiError or NodeOperationError that names the item.
 */
export async function runItem(
	operation: Planned,
	item: Item,
	run: Run,
): Promise<INodeExecutionData[]> {
	return await run.readAhead(async () => {
		// Ahead of its slot, in which nothing but its request is to be waited for. What is wrong with it counts in its slot.
		const planned = await settle(planItem(operation, item, run));
		return await run.inSlot(async () => {
			try {
				return await sendItem(planned, item, run);
			} catch (failure) {
				const url = planned.status === 'fulfilled' ? planned.value.url : undefined;
				return [failItem(operation, item, run, { failure, url })];
			}
		});
	});
}
