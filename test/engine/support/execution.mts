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

/** Starts a workflow in n8n's engine at its first node, whose items are pinned; `running.cancel` acts as the stop button. */
export function startExecution(
	given: Pick<WorkflowParameters, 'connections' | 'id' | 'nodes' | 'nodeTypes'>,
	additionalData: IWorkflowExecuteAdditionalData,
	items: readonly IDataObject[],
	mode: WorkflowExecuteMode = 'manual',
) {
	const [node] = given.nodes;
	if (node === undefined) throw new Error('A workflow needs a node');
	const settings = { executionOrder: 'v1' as const };
	const workflow = new Workflow({ ...given, active: false, settings });
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
