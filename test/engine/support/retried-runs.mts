import type { IDataObject, INode, IRun, ITaskData } from 'n8n-workflow';

import { NODE } from './engine.mts';
import { otherNode } from './workflow-parts.mts';

const dataOf = (items: readonly IDataObject[]) => ({ main: [items.map((json) => ({ json }))] });

/** The execution, whose first step returns these items when its Retry runs it again; n8n has kept no other outputs. */
export function readAgain(run: IRun, items: readonly IDataObject[]): IRun {
	const { resultData, executionData } = run.data;
	resultData.runData = {};
	resultData.pinData = { Start: items.map((json) => ({ json })) };
	const node = otherNode('Start', 'n8n-nodes-base.manualTrigger');
	const start = { node, data: dataOf([{}]), source: null };
	executionData?.nodeExecutionStack.splice(0, Infinity, start);
	return run;
}

/** A copy of the execution, whose Retry runs the node with other items, or settings. */
export function withInput(
	run: IRun,
	items?: readonly IDataObject[],
	settings: Partial<INode> = {},
): IRun {
	const retryOf = structuredClone(run);
	const [task] = retryOf.data.executionData?.nodeExecutionStack ?? [];
	if (task === undefined) throw new Error('A Retry would run nothing');
	Object.assign(task.node, settings);
	if (items) task.data = dataOf(items);
	return retryOf;
}

/** What n8n invents for a node without saved data, from its log of events: `ExecutionRecoveryService.amend` of n8n 2.41. */
const INVENTED = {
	'had ended': {
		executionStatus: 'success',
		data: { main: [[{ json: { isArtificialRecoveredEventItem: true } }]] },
	},
	'had begun': { executionStatus: 'crashed', error: Object.assign(new Error('crashed')) },
} as const;

/** The execution as n8n shows it after a crash, with a run of the node that it has invented. */
export function recovered(run: IRun, invented: keyof typeof INVENTED): IRun {
	const { resultData } = run.data;
	const task = { startTime: 1, executionIndex: 0, executionTime: 0, source: [null] };
	const ofNode = { ...task, ...INVENTED[invented] } as unknown as ITaskData;
	resultData.runData = { Start: resultData.runData.Start ?? [], [NODE]: [ofNode] };
	// The last of the nodes in the order of the workflow's JSON, whichever ran last.
	resultData.lastNodeExecuted = 'Start';
	return run;
}
