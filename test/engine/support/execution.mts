import './environment.mts';

import type {
	IDataObject,
	INode,
	IRun,
	IRunExecutionData,
	IWorkflowExecuteAdditionalData,
	WorkflowExecuteMode,
	WorkflowParameters,
} from 'n8n-workflow';
import { createRunExecutionData, Workflow } from 'n8n-workflow';
import { ExecuteContext, WorkflowExecute } from 'n8n-core';

import { otherNode } from './workflow-parts.mts';

/** The data of a failed execution for its Retry, as n8n's `ExecutionService.retry` prepares them. */
function retried({ data }: IRun): IRunExecutionData {
	const copy = structuredClone(data);
	const { lastNodeExecuted = '', runData } = copy.resultData;
	delete copy.resultData.error;
	if (runData[lastNodeExecuted]?.at(-1)?.error !== undefined) runData[lastNodeExecuted].pop();
	return copy;
}

/** Starts a workflow in n8n's engine at an added node "Start" with these items; `running.cancel` acts as the stop button. */
export function startExecution(
	given: Pick<WorkflowParameters, 'connections' | 'id' | 'nodes' | 'nodeTypes'>,
	additionalData: IWorkflowExecuteAdditionalData,
	items: readonly IDataObject[],
	mode: WorkflowExecuteMode = 'trigger',
	retryOf?: IRun,
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
	const execute = retryOf
		? new WorkflowExecute(additionalData, 'retry', retried(retryOf))
		: new WorkflowExecute(additionalData, mode, data);
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
