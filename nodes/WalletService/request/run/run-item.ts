import type { INodeExecutionData } from 'n8n-workflow';

import { settle } from '../../values/settle';
import { toErrorItem, toNodeError } from '../failure/node-error';
import { executionSignal } from '../http/deadline';
import { ServiceClient } from '../http/service-client';
import type { Item } from './item';
import type { Planned, PlannedRequest } from './plan';
import { parametersOf } from './plan';
import type { Run } from './run';
import { assertOwnValues, isTool } from './tool-call';

async function planItem({ plan, route }: Planned, item: Item, run: Run): Promise<PlannedRequest> {
	if (run.invalidOptions !== undefined) throw run.invalidOptions;
	run.throwIfStopped(executionSignal(item.context));
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
	const entries = await planned.value.send(new ServiceClient(context, run));
	return entries.map((json) => ({ json, pairedItem: { item: index } }));
}

/**
 * The error item of a failed item, if the run continues.
 *
 * @throws NodeApiError or NodeOperationError when the run ends with it; nothing is sent after it.
 */
function failItem(
	operation: Planned,
	item: Item,
	run: Run,
	{ failure, url = operation.route.url }: { readonly failure: unknown; readonly url?: string },
): INodeExecutionData {
	const { route, explain, recall } = operation;
	const { context, index } = item;
	const error = explain?.(item, failure) ?? failure;
	const place = {
		node: context.getNode(),
		parameters: parametersOf(operation),
		itemIndex: index,
		endpoint: `${route.method} ${url}`,
		isWriting: run.isSequential,
		isTool: isTool(context),
	};
	if (context.continueOnFail()) return toErrorItem(error, place);
	run.firstFailure ??= index;
	// The run may end before it has come again to what an earlier try submitted.
	const submitted = [...new Set([...run.submitted, ...(recall?.(item) ?? [])])];
	throw toNodeError(error, { ...place, submitted });
}

/**
 * Runs one item, for both doorways: it is planned ahead of its requests, sent, and retried where that is safe. A
 * failed item becomes an error item if the run continues; otherwise it ends the run, and nothing more is sent.
 *
 * @param onWait called when the item only waits from now on, so that others can take its turn
 * @throws NodeApiError or NodeOperationError that names the item.
 */
export async function runItem(
	operation: Planned,
	item: Item,
	run: Run,
	onWait: () => void = () => undefined,
): Promise<INodeExecutionData[]> {
	const send = async (planned: PromiseSettledResult<PlannedRequest>) => {
		try {
			return await sendItem(planned, item, run);
		} catch (failure) {
			const url = planned.status === 'fulfilled' ? planned.value.url : undefined;
			return [failItem(operation, item, run, { failure, url })];
		}
	};
	const begun = await run.throttle.item(async () => {
		const planned = await settle(planItem(operation, item, run));
		const waits = planned.status === 'fulfilled' && planned.value.isPatient === true;
		return { planned, output: waits ? undefined : await send(planned) };
	});
	if (begun.output !== undefined) return begun.output;
	onWait();
	return await send(begun.planned);
}
