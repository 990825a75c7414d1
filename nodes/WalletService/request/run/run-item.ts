import type { INodeExecutionData } from 'n8n-workflow';

import { toErrorItem, toNodeError } from '../failure/node-error';
import { ServiceError } from '../failure/service-error';
import { ServiceClient } from '../http/service-client';
import type { Item } from './item';
import { readOutput } from './output';
import type { Planned } from './plan';
import type { Run } from './run';
import { assertOwnValues, isTool } from './tool-call';

/** The item, as its errors show it. */
export const placeOf = ({ route, parameters }: Planned, item: Item, run: Run, url: string) => ({
	node: item.context.getNode(),
	parameters,
	itemIndex: item.index,
	endpoint: `${route.method} ${url}`,
	isWriting: run.isSequential,
	isTool: isTool(item.context),
});

/** Returns an error item if the run continues; otherwise stops it. @throws NodeApiError or NodeOperationError if it stops */
function failItem(
	operation: Planned,
	item: Item,
	run: Run,
	{ failure, url }: { readonly failure: unknown; readonly url: string },
): INodeExecutionData {
	const { explain, recall } = operation;
	const { context, index } = item;
	const error = explain?.(item, failure) ?? failure;
	const place = placeOf(operation, item, run, url);
	if (context.continueOnFail()) return toErrorItem(error, place);
	run.firstFailure ??= index;
	// The run may stop before it returns to an item that an earlier attempt submitted.
	const submitted = [...new Set([...run.submitted, ...(recall?.(item) ?? [])])];
	throw toNodeError(error, { ...place, submitted, total: run.total });
}

/** Reads and checks the parameters of an item. @throws InvalidInputError, or any error of n8n while it reads them */
export async function prepareItem(operation: Planned, item: Item, run: Run) {
	const { context, read } = item;
	const client = new ServiceClient(context, run);
	if (run.invalidOptions !== undefined) throw run.invalidOptions;
	run.throwIfStopped(client.cancel);
	assertOwnValues(context);
	const { isSimple, select } = readOutput(read, operation.fields);
	const planned = await operation.plan(item, run, { url: operation.route.url, isSimple });
	return { ...planned, select, send: async () => await planned.send(client) };
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
	const { index } = item;
	let url: string = operation.route.url;
	const orFail = async <T>(work: () => Promise<T>): Promise<T | INodeExecutionData[]> => {
		try {
			return await work();
		} catch (failure) {
			return [failItem(operation, item, run, { failure, url })];
		}
	};
	const plan = async () => {
		const planned = await prepareItem(operation, item, run);
		({ url } = planned);
		const send = async (): Promise<INodeExecutionData[]> => {
			const entries = await planned.send();
			return entries.map((entry) =>
				entry instanceof ServiceError
					? failItem(operation, item, run, { failure: entry, url })
					: { json: planned.select?.(entry) ?? entry, pairedItem: { item: index } },
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
