import type {
	IExecuteFunctions,
	IExecutePaginationFunctions,
	IExecuteSingleFunctions,
	INode,
	INodeExecutionData,
} from 'n8n-workflow';

import { settle } from '../../values/settle';
import { activeCredentialType } from '../credential/active-credential';
import { deriveContext } from '../credential/shared-credential';
import { LIMITS } from '../http/options';
import { READ_AHEAD_FACTOR } from '../traffic/throttle';
import { assertList } from './check-list';
import { membersOfItem, viewItem } from './item';
import type { Planned } from './plan';
import { parameterReader } from './read-parameter';
import { Run, showWarning } from './run';
import { runItem } from './run-item';

/** A function that n8n runs instead of its own routing. */
export type CustomOperation = (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;

/** @param first the context of item 0 */
function startRun({ parameters, isSequential }: Planned, first: IExecuteSingleFunctions): Run {
	const read = parameterReader(first, parameters);
	const credentialType = activeCredentialType(first);
	return new Run((name) => read(name, {}), { credentialType, isSequential });
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

/**
 * The first entry point: runs an operation for all items of a node. n8n's own routing evaluates the parameters of all
 * items before the first request; here, only a few items are read ahead, so the first requests are sent early.
 */
export function executeItems(operation: Planned): CustomOperation {
	const { isSequential, parameters } = operation;
	// The run itself limits the items in progress.
	const atOnce = isSequential === true ? 1 : READ_AHEAD_FACTOR * LIMITS.concurrency.max;
	return async function () {
		const itemCount = this.getInputData().length;
		if (itemCount === 0) return [[]];
		const node = this.getNode();
		const own = membersOfItem(this, 0, node);
		const first = deriveContext<object>(this, own) as IExecuteSingleFunctions;
		const run = startRun(operation, first);
		run.total = itemCount;
		const itemAt = (index: number) => viewItem(this, index, parameters, run, node);
		await assertList(operation, itemAt, run, this);
		const output: INodeExecutionData[][] = [];
		const failures = new Map<number, unknown>();
		let next = 0;
		const takers: Array<Promise<void>> = [];
		// While an item waits, another taker continues with the next one.
		const takeOver = () => void takers.push(takeItems());
		const takeItems = async () => {
			while (next < itemCount && failures.size === 0) {
				const index = next++;
				const result = await settle(runItem(operation, itemAt(index), run, takeOver));
				if (result.status === 'fulfilled') output[index] = result.value;
				else failures.set(index, result.reason);
			}
		};
		for (let taker = 0; taker < Math.min(itemCount, atOnce); taker++) takers.push(takeItems());
		// The list grows during this loop.
		for (const taker of takers) await taker;
		// Waiting items fail because of the first failure, whose error states the reason.
		const named = run.firstFailure ?? Math.min(...failures.keys());
		if (failures.size > 0) throw failures.get(named);
		const items = output.flat();
		warnOfEmptyItem(this, node, items);
		return [items];
	};
}

/** Runs by execute data: n8n passes the same object to all items of a run, and again when it repeats the run. */
const runs = new WeakMap<object, Run>();

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
		const run = known ?? startRun(operation, this);
		runs.set(key, run);
		return await runItem(operation, viewItem(this, index, operation.parameters, run), run);
	};
}
