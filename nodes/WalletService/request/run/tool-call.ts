import type { IExecuteSingleFunctions } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { isObject } from '../../values/objects';

type Context = Pick<IExecuteSingleFunctions, 'getNode' | 'getExecutionId'>;

/** The ID of the execution; `undefined` where n8n provides none: for tools of the MCP Server Trigger and built-in agents. */
export function executionIdOf(context: Pick<Context, 'getExecutionId'>): string | undefined {
	const id: unknown = context.getExecutionId();
	return typeof id === 'string' && id !== '' ? id : undefined;
}

/** Whether a model calls the node as a tool. n8n derives a node type for tools, but not for all built-in agents. */
export function isTool(context: Context): boolean {
	return context.getNode().type.endsWith('Tool') || executionIdOf(context) === undefined;
}

/**
 * Whether n8n's engine runs the node, as every node of a workflow and every tool of an agent from version 3 on: the execute
 * data are then its own, not those of the agent or the MCP Server Trigger.
 *
 * @example isRunByEngine(context) // true
 */
export function isRunByEngine(
	context: Pick<IExecuteSingleFunctions, 'getExecuteData' | 'getNode'>,
): boolean {
	return context.getExecuteData().node.name === context.getNode().name;
}

/**
 * The model's values for a call if n8n runs the tool outside its engine (for agents before version 3 and the MCP Server
 * Trigger), otherwise `undefined`. All attempts of one call share the object; no other call has it.
 */
export function filledInByModel(
	context: IExecuteSingleFunctions,
): Readonly<Record<string, unknown>> | undefined {
	if (isRunByEngine(context)) return undefined;
	const item: unknown = context.getInputData(0, NodeConnectionTypes.AiTool);
	return isObject(item) && isObject(item.json) ? item.json : undefined;
}
