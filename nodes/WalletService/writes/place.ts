import type { IExecuteSingleFunctions } from 'n8n-workflow';

import { executionIdOf, filledInByModel, isTool } from '../request/run/tool-call';

/** What n8n gives no id: the object that it makes for one call of a tool, or for one request of a built-in agent. */
export type Invocation = object;

/** Where in n8n a write stands. n8n may come to the same place again (Retry on Fail); another place is another write. */
export interface Place {
	/** An execution by its workflow and its id, or an invocation. */
	readonly scope: string | Invocation;
	/** Name of the node: unlike ids, names are unique in a workflow. */
	readonly node: string;
	/** Counts the runs of the node in its execution: two loops over one item are two writes. Always 0 in an invocation. */
	readonly run: number;
	/** Index of the item, from 0. */
	readonly item: number;
}

/**
 * The object that all tries of one call share, and no other call: what the model filled in, or, where the engine runs the
 * node (agents from version 3 on, built-in ones), the execute data of its run.
 */
function invocationOf(context: IExecuteSingleFunctions): Invocation {
	return filledInByModel(context) ?? context.getExecuteData();
}

/** The execution that an item belongs to; `undefined` where n8n gives it no id. */
function executionOf(context: IExecuteSingleFunctions): string | undefined {
	const id = executionIdOf(context);
	return id === undefined ? undefined : JSON.stringify([context.getWorkflow().id, id]);
}

/** What a limit per execution counts together: the execution, or the invocation where there is none. */
export function budgetScopeOf(context: IExecuteSingleFunctions): string | Invocation {
	return executionOf(context) ?? invocationOf(context);
}

/**
 * The place of an item's write.
 *
 * As a tool it is the one call: n8n counts every try as a run of its own there, and tools that are made at the same time
 * begin to count at the same number.
 */
export function placeOf(context: IExecuteSingleFunctions): Place {
	const node = context.getNode().name;
	const item = context.getItemIndex();
	const execution = isTool(context) ? undefined : executionOf(context);
	if (execution === undefined) return { scope: invocationOf(context), node, run: 0, item };
	return { scope: execution, node, run: context.getWorkflowDataProxy(item).$runIndex, item };
}
