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

/** The parts of a workflow, without the node with which it starts. */
type GivenWorkflow = Pick<WorkflowParameters, 'connections' | 'id' | 'nodes' | 'nodeTypes'>;

const start = () => otherNode('Start', 'n8n-nodes-base.manualTrigger');

/** The data of a failed execution for its Retry, as n8n's `ExecutionService.retry` prepares them. */
export function retried({ data }: Pick<IRun, 'data'>): IRunExecutionData {
	const copy = structuredClone(data);
	const { lastNodeExecuted = '', runData } = copy.resultData;
	delete copy.resultData.error;
	if (runData[lastNodeExecuted]?.at(-1)?.error !== undefined) runData[lastNodeExecuted].pop();
	return copy;
}

/** The data with which an execution starts at an added node "Start" with these items. */
export const dataFor = (items: readonly IDataObject[]): IRunExecutionData =>
	createRunExecutionData({
		resultData: {
			runData: {},
			pinData: { [start().name]: items.map((json) => ({ json })) },
		},
		executionData: {
			nodeExecutionStack: [{ node: start(), data: { main: [[{ json: {} }]] }, source: null }],
		},
	});

/** Lets n8n's engine start or continue an execution with its data. */
export function continueExecution(
	given: GivenWorkflow,
	additionalData: IWorkflowExecuteAdditionalData,
	mode: WorkflowExecuteMode,
	data: IRunExecutionData,
) {
	const settings = { executionOrder: 'v1' as const };
	const nodes = [start(), ...given.nodes];
	const workflow = new Workflow({ ...given, nodes, active: false, settings });
	const execute = new WorkflowExecute(additionalData, mode, data);
	return { workflow, running: execute.processRunExecutionData(workflow) };
}

/** Starts a workflow in n8n's engine at an added node "Start" with these items; `running.cancel` acts as the stop button. */
export const startExecution = (
	given: GivenWorkflow,
	additionalData: IWorkflowExecuteAdditionalData,
	items: readonly IDataObject[],
	mode: WorkflowExecuteMode = 'trigger',
	retryOf?: IRun,
) =>
	retryOf
		? continueExecution(given, additionalData, 'retry', retried(retryOf))
		: continueExecution(given, additionalData, mode, dataFor(items));

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
