import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { settle } from '../../values/settle';
import { usesOAuth } from '../credential/active-credential';
import { LIMITS } from '../http/options';
import { READ_AHEAD_FACTOR } from '../traffic/throttle';
import { warnOfEmptyItem } from './hint';
import { contextOfItem, itemOf } from './item';
import type { Planned } from './plan';
import { parametersOf } from './plan';
import { parameterReader } from './read-parameter';
import { Run } from './run';
import { runItem } from './run-item';

/** A function that n8n runs instead of its own routing. */
export type CustomOperation = (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;

/**
 * The first doorway: runs an operation for all items of a node. n8n's own routing evaluates the parameters of all items
 * before it sends the first request; here only a few items are read ahead, so that requests are in flight from the start.
 */
export function executeItems(operation: Planned): CustomOperation {
	const { isSequential } = operation;
	const parameters = parametersOf(operation);
	// The run itself bounds how many of them are in progress.
	const atOnce = isSequential === true ? 1 : READ_AHEAD_FACTOR * LIMITS.concurrency.max;
	return async function () {
		const itemCount = this.getInputData().length;
		if (itemCount === 0) return [[]];
		const node = this.getNode();
		const read = parameterReader(contextOfItem(this, 0, node), parameters);
		const run = new Run((name) => read(name, {}), {
			...{ isSequential, probesFirst: usesOAuth(this) },
		});
		const output: INodeExecutionData[][] = [];
		const failures = new Map<number, unknown>();
		let next = 0;
		const takers: Array<Promise<void>> = [];
		// An item that only waits keeps nobody from taking the next one.
		const takeOver = () => void takers.push(takeItems());
		const takeItems = async () => {
			while (next < itemCount && failures.size === 0) {
				const index = next++;
				const item = itemOf(contextOfItem(this, index, node), parameters, run);
				const result = await settle(runItem(operation, item, run, takeOver));
				if (result.status === 'fulfilled') output[index] = result.value;
				else failures.set(index, result.reason);
			}
		};
		for (let taker = 0; taker < Math.min(itemCount, atOnce); taker++) takers.push(takeItems());
		// Grows while it is awaited.
		for (const taker of takers) await taker;
		// Items that waited meanwhile fail only because another one did, whose error says why.
		const named = run.firstFailure ?? Math.min(...failures.keys());
		if (failures.size > 0) throw failures.get(named);
		const items = output.flat();
		warnOfEmptyItem(this, items);
		return [items];
	};
}
