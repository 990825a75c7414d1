import { randomUUID } from 'node:crypto';

import { jsonParse, NodeConnectionTypes, Workflow } from 'n8n-workflow';
import type { ExecuteContext } from 'n8n-core';
import { WebhookContext } from 'n8n-core';

import { contextOf } from '../../support/execution.mts';
import { otherNode } from '../../support/workflow-parts.mts';
import type { CallPlan, ToolJob } from './jobs.mts';
import { askFor, inputOf, NOTHING_PER_ITEM } from './parameters.mts';
import { failureOf, itemReport } from './reports.mts';
import type { Surroundings } from './run-workflow.mts';
import { TOOL, toolNode } from './run-workflow.mts';
import { AGENT_TYPE } from './scripted-agent.mts';
import type { Work } from './watched-nodes.mts';
import { work } from './watched-nodes.mts';

/** A tool as agents receive it. */
interface Tool {
	invoke(input: object): Promise<unknown>;
}

const agent = otherNode('Agent', AGENT_TYPE);

/** Creates a context for tools: one for all calls of an execution, or one per call without an execution. */
function toolContextOf(job: ToolJob, around: Surroundings): ExecuteContext | WebhookContext {
	const id = job.kind === 'built-in' ? randomUUID() : 'tool';
	const workflow = new Workflow({
		id: around.name,
		nodes: [agent, toolNode(job, around, id)],
		connections: { [TOOL]: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] } },
		active: false,
		nodeTypes: around.nodeTypes,
	});
	const additionalData = around.additionalData();
	if (job.kind === 'agent')
		return contextOf(workflow, agent, additionalData, 'manual', {}, around.stop);
	const withoutExecution = { ...additionalData, executionId: undefined };
	if (job.kind === 'built-in') return contextOf(workflow, agent, withoutExecution, 'manual');
	return new WebhookContext(workflow, agent, withoutExecution, 'webhook', {} as never, [], null);
}

async function toolOf(context: ExecuteContext | WebhookContext): Promise<Tool> {
	const tools = await context.getInputConnectionData(NodeConnectionTypes.AiTool, 0);
	const [tool] = tools as Tool[];
	if (tool === undefined) throw new Error('No tool is connected');
	return tool;
}

/** Makes one call as the model requests it, and records the reply to the model. */
async function makeCall(tool: Tool, call: CallPlan, current: Work): Promise<void> {
	const input = { ...inputOf(call), value: call.value.given ?? '' };
	await work.run(current, async () => {
		const [result] = await Promise.allSettled([tool.invoke(input)]);
		const run = current.runs.find(({ scope }) => scope === `call/${current.call}`);
		// A call that arrives after the execution was stopped does not reach the node.
		if (run === undefined && current.stop.at !== undefined) return;
		if (run === undefined) throw new Error('The tool was not called');
		if (result.status === 'rejected') run.ending = failureOf(result.reason, 0);
		else if (current.stop.at === undefined) {
			const items = jsonParse<Record<string, unknown>[]>(String(result.value));
			run.reports.push(...items.map((json) => itemReport(json, 0)));
		}
	});
}

/** Makes the calls of an agent before version 3, of an MCP client, or of n8n's built-in agents. */
export async function runTools(job: ToolJob, around: Surroundings): Promise<void> {
	const ask = askFor(job.node, job.calls, NOTHING_PER_ITEM);
	const shared = toolContextOf(job, around);
	const sharedTool = await toolOf(shared);
	const make = async (call: CallPlan, index: number) => {
		const context = job.kind === 'agent' ? shared : toolContextOf(job, around);
		const isShared = job.kind === 'agent' && !job.isFresh;
		const current = {
			...around.work,
			ask,
			hasErrorOutput: false,
			call: `${around.executionId}-${index}`,
		};
		await makeCall(isShared ? sharedTool : await toolOf(context), call, current);
	};
	if (job.isAtOnce) await Promise.all(job.calls.map(make));
	else for (const [index, call] of job.calls.entries()) await make(call, index);
}
