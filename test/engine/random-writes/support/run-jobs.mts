import { randomUUID } from 'node:crypto';

import type { FromAIArgument, IConnections, IDataObject, INode } from 'n8n-workflow';
import { jsonParse, NodeConnectionTypes, traverseNodeParameters, Workflow } from 'n8n-workflow';
import type { ExecuteContext } from 'n8n-core';
import { WebhookContext } from 'n8n-core';

import { contextOf, startExecution } from '../../support/execution.mts';
import { otherNode, to } from '../../support/workflow-parts.mts';
import type { CallPlan, Job, ToolJob, WorkflowJob } from './jobs.mts';
import { inputOf, parametersOf } from './parameters.mts';
import { failureOf, itemReport, report } from './reports.mts';
import { AGENT_TYPE, TOOL } from './scripted-agent.mts';
import type { Work } from './watched-nodes.mts';
import { work, WRITE_TYPE } from './watched-nodes.mts';

/** A node that writes. @param from see `parametersOf` */
const writeNode = (
	job: Job,
	around: Work,
	from: (name: string) => string,
	settings: Partial<INode>,
): INode => ({
	...otherNode('write', WRITE_TYPE, parametersOf(job, from, around)),
	credentials: { walletServiceApi: { id: around.credentialId, name: 'Wallet' } },
	onError: job.onError,
	retryOnFail: job.node.tries > 1,
	maxTries: job.node.tries,
	// 0 would mean 1000 ms.
	waitBetweenTries: 1,
	...settings,
});

/** The node as a tool, whose fields the model fills in. */
function toolNode(job: ToolJob, around: Work): INode {
	const id = job.kind === 'built-in' ? randomUUID() : 'tool';
	const settings = { name: TOOL, id, type: `${WRITE_TYPE}Tool` };
	const node = writeNode(job, around, (name) => `$fromAI('${name}', '', 'string')`, settings);
	const described = { descriptionType: 'manual', toolDescription: 'Sends coins' };
	return { ...node, parameters: { ...node.parameters, ...described } };
}

const TO_AGENT: IConnections = {
	[TOOL]: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] },
};

async function execute(
	{ nodeTypes, name, executionId, additionalData, runs, stop }: Work,
	nodes: INode[],
	connections: IConnections,
	items: readonly IDataObject[],
): Promise<void> {
	const workflow = { id: name, nodes, connections, nodeTypes };
	const { running } = startExecution(workflow, additionalData(), items);
	stop.signal.addEventListener('abort', () => running.cancel());
	const { runData } = (await running).data.resultData;
	for (const run of runs.filter(({ execution }) => execution === executionId)) {
		const taskData = runData[run.node]?.[run.index];
		if (taskData !== undefined) report(run, taskData);
	}
}

/** IDs of the two nodes: different, equal, or missing, as in workflows that people assemble by copying. */
const IDS = {
	different: ['write-a', 'write-b'],
	equal: ['write', 'write'],
	missing: [undefined, undefined],
} as const;

/** Runs a workflow of one or two nodes that write. */
async function runWorkflow(job: WorkflowJob, around: Work): Promise<void> {
	const names = job.layout === 'two' ? ['Write A', 'Write B'] : ['Write A'];
	const nodes = names.map((name, index) =>
		writeNode(job, around, (field) => `$json.${field}`, { name, id: IDS[job.ids][index] }),
	);
	const loop = otherNode('Loop', 'n8n-nodes-base.splitInBatches', { batchSize: 1 }, 3);
	const connections: IConnections =
		job.layout === 'loop'
			? {
					Start: { main: [to('Loop')] },
					Loop: { main: [[], to('Write A')] },
					'Write A': { main: [to('Loop'), to('Loop')] },
				}
			: { Start: { main: [names.flatMap(to)] } };
	await execute(around, [loop, ...nodes], connections, job.calls.map(inputOf));
}

const callId = ({ executionId }: Work, index: number) => `${executionId}-${index}`;

/** Lets an agent of version 3 make its calls. */
async function runAgent(job: ToolJob, around: Work): Promise<void> {
	const tool = toolNode(job, around);
	const asked: FromAIArgument[] = [];
	traverseNodeParameters(tool.parameters, asked);
	const keys = new Set(asked.map(({ key }) => key));
	const calls = job.calls.map((call, index) => ({
		id: callId(around, index),
		// A model that passes more is refused.
		input: Object.fromEntries(Object.entries(inputOf(call)).filter(([key]) => keys.has(key))),
	}));
	const rounds = job.isAtOnce ? [calls] : calls.map((call) => [call]);
	const agent = otherNode('Agent', AGENT_TYPE, { rounds: JSON.stringify(rounds) });
	const connections = { Start: { main: [to('Agent')] }, ...TO_AGENT };
	await execute(around, [agent, tool], connections, [{}]);
}

/** A tool as agents receive it. */
interface Tool {
	invoke(input: object): Promise<unknown>;
}

/** Creates a context for tools: one for all calls of an execution, or one per call without an execution. */
function toolContextOf(job: ToolJob, around: Work): ExecuteContext | WebhookContext {
	const { name: id, nodeTypes, stop } = around;
	const agent = otherNode('Agent', AGENT_TYPE);
	const nodes = [agent, toolNode(job, around)];
	const workflow = new Workflow({ id, nodes, connections: TO_AGENT, active: false, nodeTypes });
	const additionalData = around.additionalData();
	if (job.kind === 'agent')
		return contextOf(workflow, agent, additionalData, 'trigger', {}, stop.signal);
	const withoutExecution = { ...additionalData, executionId: undefined };
	if (job.kind === 'built-in') return contextOf(workflow, agent, withoutExecution, 'trigger');
	return new WebhookContext(workflow, agent, withoutExecution, 'webhook', {} as never, [], null);
}

async function toolOf(context: ExecuteContext | WebhookContext): Promise<Tool> {
	const tools = await context.getInputConnectionData(NodeConnectionTypes.AiTool, 0);
	const [tool] = tools as Tool[];
	if (tool === undefined) throw new Error('No tool is connected');
	return tool;
}

/** Makes one call as the model requests it, and records the reply to the model. */
async function makeCall(tool: Tool, input: IDataObject, { runs, stop, call }: Work): Promise<void> {
	const [result] = await Promise.allSettled([tool.invoke(input)]);
	const run = runs.find(({ scope }) => scope === `call/${call}`);
	// A call that arrives after the execution was stopped does not reach the node.
	if (run === undefined && stop.at !== undefined) return;
	if (run === undefined) throw new Error('The tool was not called');
	if (result.status === 'rejected') run.ending = failureOf(result.reason, 0);
	else if (stop.at === undefined) {
		const items = jsonParse<Record<string, unknown>[]>(String(result.value));
		run.reports.push(...items.map((json) => itemReport(json, 0)));
	}
}

/** Makes the calls of an agent before version 3, of an MCP client, or of n8n's built-in agents. */
async function runTools(job: ToolJob, around: Work): Promise<void> {
	const shared = toolContextOf(job, around);
	const sharedTool = await toolOf(shared);
	const make = async (plan: CallPlan, index: number) => {
		const context = job.kind === 'agent' ? shared : toolContextOf(job, around);
		const isShared = job.kind === 'agent' && !job.isFresh;
		const current = { ...around, call: callId(around, index) };
		const tool = isShared ? sharedTool : await toolOf(context);
		await work.run(current, async () => await makeCall(tool, inputOf(plan), current));
	};
	if (job.isAtOnce) await Promise.all(job.calls.map(make));
	else for (const [index, call] of job.calls.entries()) await make(call, index);
}

export async function runJob(job: Job, around: Work): Promise<void> {
	if (job.kind === 'workflow') await runWorkflow(job, around);
	else if (job.kind === 'agent 3') await runAgent(job, around);
	else await runTools(job, around);
}
