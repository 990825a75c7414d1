import type { INodeExecutionData } from 'n8n-workflow';

import { settle } from '../../values/settle';
import { toErrorItem, toNodeError } from '../failure/node-error';
import { ServiceError } from '../failure/service-error';
import { ServiceClient } from '../http/service-client';
import type { Item } from './item';
import { readOutput } from './output';
import type { Planned } from './plan';
import type { Run } from './run';
import { assertOwnValues } from './n8n-faults/values-of-another-call';
import { isTool } from './tool-call';

/** The item, as its errors show it. */
export const errorPlace = ({ route, parameters }: Planned, item: Item, run: Run, url: string) => ({
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
	const row = run.isSequential && run.total > 1 ? run.nameOf(index) : undefined;
	const place = { ...errorPlace(operation, item, run, url), row };
	if (context.continueOnFail()) return toErrorItem(error, place);
	run.firstFailure ??= index;
	// The run may stop before it returns to an item that an earlier attempt submitted.
	const submitted = [...new Set([...run.submitted, ...(recall?.(item, run) ?? [])])];
	throw toNodeError(error, { ...place, submitted, total: run.total });
}

/** Reads and checks the parameters of an item. @throws InvalidInputError, or any error of n8n while it reads them */
export async function prepareItem(operation: Planned, item: Item, run: Run) {
	const { context, read } = item;
	const client = new ServiceClient(context, run);
	await run.pacer.yield();
	if (run.invalidOptions !== undefined) throw run.invalidOptions;
	run.throwIfStopped(client.cancel);
	assertOwnValues(context);
	const { isSimple, select } = readOutput(read, operation.fields);
	const planned = await operation.plan(item, run, { url: operation.route.url, isSimple });
	return { ...planned, select, send: async () => await planned.send(client) };
}

/** Plans an item, and sends its requests unless it will wait for long; `finish` sends those of one that will. */
async function beginItem(operation: Planned, item: Item, run: Run) {
	const { index } = item;
	let url: string = operation.route.url;
	const fail = (failure: unknown) => [failItem(operation, item, run, { failure, url })];
	const prepared = await settle(prepareItem(operation, item, run));
	if (prepared.status === 'rejected') return { output: fail(prepared.reason) };
	const { isLongRunning, select, send } = prepared.value;
	({ url } = prepared.value);
	const itemsOf = async () =>
		(await send()).flatMap((entry) =>
			entry instanceof ServiceError
				? fail(entry)
				: [{ json: select?.(entry) ?? entry, pairedItem: { item: index } }],
		);
	const finish = async () => await itemsOf().catch(fail);
	return isLongRunning === true ? { finish } : { output: await finish() };
}

/**
 * Runs one item, for both entry points: plans it, sends its requests, and retries them where that is safe. A failed
 * item becomes an error item if the run continues; otherwise it stops the run, and nothing more is sent.
 *
 * @param itemAt makes the item when it gets its slot
 * @returns no items if the run was stopped before the item began
 * @throws NodeApiError or NodeOperationError with the index of the item.
 */
export async function runItem(
	operation: Planned,
	itemAt: () => Item,
	run: Run,
): Promise<INodeExecutionData[]> {
	// A failure is handled within the slot, so that the run is stopped before another item begins.
	const begun = await run.throttle.item(run.cancel, async () =>
		run.firstFailure === undefined ? await beginItem(operation, itemAt(), run) : { output: [] },
	);
	return begun.output ?? (await begun.finish());
}
