import type { INodeExecutionData } from 'n8n-workflow';

import { toErrorItem, toNodeError } from '../failure/node-error';
import { ServiceError } from '../failure/service-error';
import { ServiceClient } from '../http/service-client';
import type { Item } from './item';
import { readOutput } from './output';
import type { Planned } from './plan';
import type { Run } from './run';
import { assertOwnValues, isTool } from './tool-call';

/** Returns an error item if the run continues; otherwise stops it. @throws NodeApiError or NodeOperationError if it stops */
function failItem(
	{ route, parameters, explain, recall }: Planned,
	item: Item,
	run: Run,
	{ failure, url }: { readonly failure: unknown; readonly url: string },
): INodeExecutionData {
	const { context, index } = item;
	const error = explain?.(item, failure) ?? failure;
	const place = {
		node: context.getNode(),
		parameters,
		itemIndex: index,
		endpoint: `${route.method} ${url}`,
		isWriting: run.isSequential,
		isTool: isTool(context),
	};
	if (context.continueOnFail()) return toErrorItem(error, place);
	run.firstFailure ??= index;
	// The run may stop before it returns to an item that an earlier attempt submitted.
	const submitted = [...new Set([...run.submitted, ...(recall?.(item) ?? [])])];
	throw toNodeError(error, { ...place, submitted });
}

/**
 * Runs one item, for both entry points: plans it, sends its requests, and retries them where that is safe. A failed
 * item becomes an error item if the run continues; otherwise it stops the run, and nothing more is sent.
 *
 * @param onYield called when the item leaves its slot to wait, so that another item can use it
 * @throws NodeApiError or NodeOperationError with the index of the item.
 */
export async function runItem(
	operation: Planned,
	item: Item,
	run: Run,
	onYield: () => void = () => undefined,
): Promise<INodeExecutionData[]> {
	const { context, index, read } = item;
	let url: string = operation.route.url;
	const orFail = async <T>(work: () => Promise<T>): Promise<T | INodeExecutionData[]> => {
		try {
			return await work();
		} catch (failure) {
			return [failItem(operation, item, run, { failure, url })];
		}
	};
	const plan = async () => {
		const client = new ServiceClient(context, run);
		if (run.invalidOptions !== undefined) throw run.invalidOptions;
		run.throwIfStopped(client.cancel);
		assertOwnValues(context);
		const { isSimple, select } = readOutput(read, operation.fields);
		const planned = await operation.plan(item, run, { url, isSimple });
		({ url } = planned);
		const send = async (): Promise<INodeExecutionData[]> => {
			const entries = await planned.send(client);
			return entries.map((entry) =>
				entry instanceof ServiceError
					? failItem(operation, item, run, { failure: entry, url })
					: { json: select?.(entry) ?? entry, pairedItem: { item: index } },
			);
		};
		return planned.isLongRunning === true ? send : await send();
	};
	// Failures are also handled within the slot, so that the run is stopped before another item begins.
	const begun = await run.throttle.item(async () => await orFail(plan));
	if (typeof begun !== 'function') return begun;
	onYield();
	return await orFail(begun);
}
