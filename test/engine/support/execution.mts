import './environment.mts';

import type {
	IDataObject,
	INode,
	IWorkflowExecuteAdditionalData,
	WorkflowExecuteMode,
	WorkflowParameters,
} from 'n8n-workflow';
import { createRunExecutionData, Workflow } from 'n8n-workflow';
import { ExecuteContext, WorkflowExecute } from 'n8n-core';

import { otherNode } from './workflow-parts.mts';

/** Starts a workflow in n8n's engine at an added node "Start" with these items; `running.cancel` acts as the stop button. */
export function startExecution(
	given: Pick<WorkflowParameters, 'connections' | 'id' | 'nodes' | 'nodeTypes'>,
	additionalData: IWorkflowExecuteAdditionalData,
	items: readonly IDataObject[],
	mode: WorkflowExecuteMode = 'manual',
) {
	const node = otherNode('Start', 'n8n-nodes-base.manualTrigger');
	const settings = { executionOrder: 'v1' as const };
	const nodes = [node, ...given.nodes];
	const workflow = new Workflow({ ...given, nodes, active: false, settings });
	const pinData = { [node.name]: items.map((json) => ({ json })) };
	const first = { node, data: { main: [[{ json: {} }]] }, source: null };
	const data = createRunExecutionData({
		resultData: { runData: {}, pinData },
		executionData: { nodeExecutionStack: [first] },
	});
	const execute = new WorkflowExecute(additionalData, mode, data);
	return { workflow, running: execute.processRunExecutionData(workflow) };
}

/** The context in which n8n executes a node outside its engine, over one item. */
export function contextOf(
	workflow: Workflow,
	node: INode,
	additionalData: IWorkflowExecuteAdditionalData,
	mode: WorkflowExecuteMode,
	json: IDataObject = {},
	stop?: AbortSignal,
): ExecuteContext {
	const items = [{ json }];
	const data = { main: [items] };
	const source = { node, data, source: null };
	const runData = createRunExecutionData({});
	const place = [workflow, node, additionalData, mode, runData, 0] as const;
	return new ExecuteContext(...place, items, data, source, [], stop);
}
