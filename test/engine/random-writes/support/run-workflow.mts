import type {
	IConnections,
	IDataObject,
	INode,
	IWorkflowExecuteAdditionalData,
	WorkflowParameters,
} from 'n8n-workflow';

import { startNode } from '../../support/engine.mts';
import { startExecution } from '../../support/execution.mts';
import { otherNode, to } from '../../support/workflow-parts.mts';
import type { NodePlan, ToolJob, WorkflowJob } from './jobs.mts';
import { askFor, inputOf, NOTHING_PER_ITEM, parametersOf, perItemOf } from './parameters.mts';
import { report } from './reports.mts';
import { AGENT_TYPE } from './scripted-agent.mts';
import type { WatchedNodeTypes, Work } from './watched-nodes.mts';
import { work, WRITE_TYPE } from './watched-nodes.mts';

/** The environment of a job. */
export interface Surroundings {
	readonly nodeTypes: WatchedNodeTypes;
	/** Prefix of all IDs. */
	readonly name: string;
	readonly executionId: string;
	readonly credentialId: string | null;
	readonly timeout: number | undefined;
	readonly additionalData: () => IWorkflowExecuteAdditionalData;
	readonly work: Pick<Work, 'runs' | 'lines' | 'stop'>;
	/** Aborted when the execution is stopped. */
	readonly stop: AbortSignal;
}

export const TOOL = 'Send Coins';

/** A node that writes, possibly as a tool. */
function writeNode(
	{ credentialId }: Surroundings,
	plan: NodePlan,
	settings: Pick<INode, 'name' | 'parameters' | 'onError'> & Partial<INode>,
): INode {
	return {
		...otherNode('write', WRITE_TYPE),
		credentials: { walletServiceApi: { id: credentialId, name: 'Wallet' } },
		retryOnFail: plan.tries > 1,
		maxTries: plan.tries,
		// 0 would mean 1000 ms.
		waitBetweenTries: 1,
		...settings,
	};
}

async function execute(
	{ nodeTypes, name, executionId, additionalData, work: { runs }, stop }: Surroundings,
	{ nodes, connections }: Pick<WorkflowParameters, 'nodes' | 'connections'>,
	items: readonly IDataObject[],
): Promise<void> {
	const workflow = { id: name, nodes, connections, nodeTypes };
	const { running } = startExecution(workflow, additionalData(), items);
	stop.addEventListener('abort', () => running.cancel());
	const { runData } = (await running).data.resultData;
	for (const run of runs.filter(({ execution }) => execution === executionId)) {
		const taskData = runData[run.node]?.[run.index];
		if (taskData !== undefined) report(run, taskData);
	}
}

/** IDs of the two nodes: different, equal, or missing, as in workflows that people assemble by copying. */
const idsOf = {
	different: ['write-a', 'write-b'],
	equal: ['write', 'write'],
	missing: [undefined, undefined],
} as const;

/** Runs a workflow of one or two nodes that write. */
export async function runWorkflow(job: WorkflowJob, around: Surroundings): Promise<void> {
	const perItem = perItemOf(job.node, job.items);
	const parameters = parametersOf(job.node, (name) => `$json.${name}`, perItem, around.timeout);
	const names = job.layout === 'two' ? ['Write A', 'Write B'] : ['Write A'];
	const nodes = names.map((name, index) =>
		writeNode(around, job.node, {
			name,
			parameters,
			onError: job.onError,
			...({ id: idsOf[job.ids][index] } as Partial<INode>),
		}),
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
	const ask = askFor(job.node, job.items, perItem);
	const hasErrorOutput = job.onError === 'continueErrorOutput';
	await work.run({ ...around.work, ask, hasErrorOutput }, async () => {
		const all = [startNode(), ...(job.layout === 'loop' ? [loop] : []), ...nodes];
		await execute(around, { nodes: all, connections }, job.items.map(inputOf));
	});
}

/** Lets an agent of version 3 make its calls. */
export async function runAgent(job: ToolJob, around: Surroundings): Promise<void> {
	const calls = job.calls.map((call, index) => ({
		id: `${around.executionId}-${index}`,
		input: { ...inputOf(call), value: call.value.given ?? '' },
	}));
	const rounds = job.isAtOnce ? [calls] : calls.map((call) => [call]);
	const agent = otherNode('Agent', AGENT_TYPE, { calls: JSON.stringify({ tool: TOOL, rounds }) });
	const connections = {
		Start: { main: [to('Agent')] },
		[TOOL]: { ai_tool: [[{ node: 'Agent', type: 'ai_tool' as const, index: 0 }]] },
	};
	const nodes = [startNode(), agent, toolNode(job, around)];
	const ask = askFor(job.node, job.calls, NOTHING_PER_ITEM);
	await work.run({ ...around.work, ask, hasErrorOutput: false }, async () => {
		await execute(around, { nodes, connections }, [{}]);
	});
}

/** The node as a tool, whose fields the model fills in. */
export function toolNode(job: ToolJob, around: Surroundings, id = 'tool'): INode {
	const from = (name: string) => `$fromAI('${name}', '', 'string')`;
	const parameters = parametersOf(job.node, from, NOTHING_PER_ITEM, around.timeout);
	return writeNode(around, job.node, {
		name: TOOL,
		id,
		type: `${WRITE_TYPE}Tool`,
		onError: job.onError,
		parameters: { ...parameters, descriptionType: 'manual', toolDescription: 'Sends coins' },
	});
}
