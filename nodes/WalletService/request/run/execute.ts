import type {
	IExecuteFunctions,
	IExecutePaginationFunctions,
	IExecuteSingleFunctions,
	INode,
	INodeExecutionData,
} from 'n8n-workflow';

import { textHash } from '../../values/hashes';
import { Stretches } from '../../values/turns';
import { activeCredentialType } from '../credential/active-credential';
import { deriveContext } from '../credential/shared-credential';
import { assertList } from './check-list';
import { membersOfItem, viewItem } from './item';
import type { Planned } from './plan';
import { parameterReader } from './read-parameter';
import { rowOf } from './row';
import type { Run } from './run';
import { showWarning, startRun } from './run';
import { runItem } from './run-item';

/** A function that n8n runs instead of its own routing. */
export type CustomOperation = (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;

/** @param first the context of item 0 */
async function openRun(
	{ parameters, isSequential }: Planned,
	first: IExecuteSingleFunctions,
): Promise<Run> {
	const read = parameterReader(first, parameters);
	const credentialType = activeCredentialType(first);
	const cancel = first.getExecutionCancelSignal();
	const rules = { credentialType, isSequential, cancel };
	return await startRun(first, (name) => read(name, {}), rules);
}

/** The origin of n8n's empty item, and the remedy. */
const WAY_OUT =
	'comes from "Always Output Data" in the settings of this node: switch it off; otherwise, the next nodes run as if this node had returned an item.';

/**
 * Warns if no item succeeded, but n8n is about to add an empty item: with *Always Output Data*, it adds one to every
 * empty output, including the Success output beside an error output.
 */
function warnOfEmptyItem(
	context: IExecuteFunctions,
	{ alwaysOutputData, onError }: INode,
	output: readonly INodeExecutionData[],
): void {
	const isAdded = output.length === 0 || onError === 'continueErrorOutput';
	if (alwaysOutputData !== true || !isAdded) return;
	if (!output.every(({ json }) => json.error !== undefined)) return;
	const message =
		output.length === 0
			? `There is no output. The empty item ${WAY_OUT}`
			: `No item succeeded. The empty item on the Success output ${WAY_OUT}`;
	showWarning(context, message);
}

/** What expressions read that is not part of the input. */
const OTHERS = /\$\(|\$(?:node|items|getWorkflowStaticData)\b/;

/** Characters of rows that are hashed at once; between them, n8n does other work. */
const ITEMS_AT_ONCE = 100_000;

/** Identifies the rows of a run, whatever their expressions give; empty if the rows are not all that counts. */
async function digestOfInput(context: IExecuteFunctions, { parameters }: INode): Promise<string> {
	if (OTHERS.test(JSON.stringify(parameters))) return '';
	const stretches = new Stretches(ITEMS_AT_ONCE);
	let digest = '';
	for (const { json } of context.getInputData()) {
		const row = JSON.stringify(json ?? null);
		for (let at = 0; at < row.length; at += ITEMS_AT_ONCE) {
			const part = row.slice(at, at + ITEMS_AT_ONCE);
			digest = textHash(digest + part);
			await stretches.after(part.length);
		}
	}
	return digest.slice(2, 18);
}

/**
 * The first entry point: runs an operation for all items of a node. n8n's own routing evaluates the parameters of all
 * items before the first request; here, only a few items are read ahead, so the first requests are sent early.
 */
export function executeItems(operation: Planned): CustomOperation {
	return async function () {
		const rows = this.getInputData();
		const itemCount = rows.length;
		if (itemCount === 0) return [[]];
		const node = this.getNode();
		const own = membersOfItem(this, 0, node);
		const first = deriveContext<object>(this, own) as IExecuteSingleFunctions;
		const run = await openRun(operation, first);
		run.total = itemCount;
		if (run.isSequential) run.input = await digestOfInput(this, node);
		if (run.isSequential && itemCount > 1)
			run.nameOf = (index) => rowOf(rows[index]?.json ?? {}, index);
		const itemAt = (index: number) => viewItem(this, index, operation.parameters, run, node);
		await assertList(operation, itemAt, run, this);
		const running: Array<Promise<INodeExecutionData[]>> = [];
		const start = (index: number) =>
			(running[index] = runItem(operation, () => itemAt(index), run));
		for (let index = 0; index < itemCount; index++) if (!run.unknown.has(index)) start(index);
		for (const index of run.unknown) start(index);
		const results = await Promise.allSettled(running);
		// Other items fail because of the first failure, whose error states the reason.
		const failure = run.firstFailure ?? results.findIndex(({ status }) => status === 'rejected');
		const failed = results[failure];
		if (failed?.status === 'rejected') throw failed.reason;
		const items = results.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
		warnOfEmptyItem(this, node, items);
		return [items];
	};
}

/** Runs by execute data: n8n passes the same object to all items of a run, and again when it repeats the run. */
const runs = new WeakMap<object, Promise<Run>>();

/**
 * The second entry point, for n8n's own routing, which runs tools of agents before version 3. It starts all items at
 * once and calls this pagination function for each; the request that n8n has prepared is not sent.
 */
export function routeItem(operation: Planned) {
	return async function (this: IExecutePaginationFunctions): Promise<INodeExecutionData[]> {
		const key = this.getExecuteData();
		const index = this.getItemIndex();
		// Item 0 comes first, and always starts a new run, even if n8n repeats the run.
		const known = index === 0 ? undefined : runs.get(key);
		const opened = known ?? openRun(operation, this);
		runs.set(key, opened);
		const run = await opened;
		const item = viewItem(this, index, operation.parameters, run);
		return await runItem(operation, () => item, run);
	};
}
