import type {
	IExecutePaginationFunctions,
	IExecuteSingleFunctions,
	INodeExecutionData,
} from 'n8n-workflow';

import { usesOAuth } from '../credential/active-credential';
import { itemOf } from './item';
import type { Planned } from './plan';
import { parametersOf } from './plan';
import { parameterReader } from './read-parameter';
import { Run } from './run';
import { runItem } from './run-item';

/** n8n passes the same execute data to all items of a run, even when it runs a node again: nothing else links them. */
const runs = new WeakMap<object, Run>();

/** The run that an item belongs to. Item 0 comes first and starts a new one, so that a repeated run starts afresh. */
function runOf(context: IExecuteSingleFunctions, operation: Planned): Run {
	const key = context.getExecuteData();
	const current = runs.get(key);
	if (current !== undefined && context.getItemIndex() > 0) return current;
	const read = parameterReader(context, parametersOf(operation));
	const { isSequential } = operation;
	const run = new Run((name) => read(name, {}), { isSequential, probesFirst: usesOAuth(context) });
	runs.set(key, run);
	return run;
}

/**
 * The second doorway: n8n's own routing, which runs tools of agents before version 3. It starts all items at once, and calls
 * the pagination of the operation for each, which sends its own request: the one that n8n has prepared is not used.
 */
export function routeItem(operation: Planned) {
	return async function (this: IExecutePaginationFunctions): Promise<INodeExecutionData[]> {
		const run = runOf(this, operation);
		return await runItem(operation, itemOf(this, parametersOf(operation), run), run);
	};
}
