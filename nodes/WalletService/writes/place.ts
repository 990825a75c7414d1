import type { IExecuteSingleFunctions } from 'n8n-workflow';

import { executionIdOf, filledInByModel, isTool } from '../request/run/tool-call';

/**
 * Stands in for an execution ID where n8n provides none: the object that it creates for one tool call, or for one request
 * of a built-in agent.
 */
export type Invocation = object;

/** The position of a write in n8n. n8n may return to the same place (Retry on Fail); another place is another write. */
export interface Place {
	/** An execution by the IDs of its workflow and itself, or an invocation. */
	readonly scope: string | Invocation;
	/** Name of the node: unlike IDs, names are unique in a workflow. */
	readonly node: string;
	/** Counts the runs of the node in its execution: two loops over one item are two writes. Always 0 in an invocation. */
	readonly run: number;
	/** Index of the item, from 0. */
	readonly item: number;
}

/**
 * The object that all tries of one call share, and no other call: the values that the model filled in, or, where the engine
 * runs the node (agents from version 3 on, built-in ones), the execute data of its run.
 */
function invocationOf(context: IExecuteSingleFunctions): Invocation {
	return filledInByModel(context) ?? context.getExecuteData();
}

/** The execution that an item belongs to; `undefined` where n8n provides no ID. */
function executionOf(context: IExecuteSingleFunctions): string | undefined {
	const id = executionIdOf(context);
	return id === undefined ? undefined : JSON.stringify([context.getWorkflow().id, id]);
}

/**
 * The scope of a limit per execution: the execution, or the request where there is none. n8n makes one object for all tool
 * calls of a request to an MCP Server Trigger, and one for each call of a built-in agent.
 *
 * @example budgetScopeOf(context) // '["workflow ID","execution ID"]'
 */
export function budgetScopeOf(context: IExecuteSingleFunctions): string | Invocation {
	return executionOf(context) ?? context.getExecuteData();
}

/**
 * The place of an item's write.
 *
 * For a tool, it is the one call: n8n counts every try of a tool as a separate run, and tools that are created at the same
 * time start counting at the same number.
 *
 * @example placeOf(context) // { scope: '["workflow ID","execution ID"]', node: 'Wallet Service', run: 0, item: 0 }
 */
export function placeOf(context: IExecuteSingleFunctions): Place {
	const node = context.getNode().name;
	const item = context.getItemIndex();
	const execution = isTool(context) ? undefined : executionOf(context);
	if (execution === undefined) return { scope: invocationOf(context), node, run: 0, item };
	return { scope: execution, node, run: context.getWorkflowDataProxy(item).$runIndex, item };
}
