import type { JsonObject } from '../files/json.mts';
import { readList, readObject } from '../files/json.mts';

/** One execution of a workflow, as n8n recorded it. */
export interface WorkflowRun {
	/** The message that stopped the workflow; undefined when it ran to its end. */
	error: string | undefined;
	/** Whether a node has run to its end. */
	hasRun(nodeName: string): boolean;
	/** The items that a node sent out: the last time it ran, through the given output. */
	items(nodeName: string, output?: number): JsonObject[];
}

/** An execution that n8n's command line ran. */
export interface PrintedRun extends WorkflowRun {
	/** Everything n8n printed, log lines and run data. */
	printed: string;
}

/** The run data stands between log lines: from the first line that only opens an object to the one that closes it. */
function findRunData(printed: string): unknown {
	const lines = printed.split('\n');
	const start = lines.indexOf('{');
	const end = lines.indexOf('}', start);
	if (start < 0 || end < 0) throw new Error(`n8n printed no run data:\n${printed}`);
	return JSON.parse(lines.slice(start, end + 1).join('\n'));
}

/**
 * Reads an execution as n8n's command line and its public API give it, with its data.
 *
 * @throws Error when it holds no run data.
 */
export function readWorkflowRun(execution: unknown): WorkflowRun {
	const { data } = readObject(execution, 'the execution');
	const { resultData } = readObject(data, 'the execution data');
	const { runData, error } = readObject(resultData, 'the result data');
	const nodes = readObject(runData, 'the run data');
	return {
		error: error === undefined ? undefined : String(readObject(error, 'the error').message),
		// An execution that was cut off may hold an empty list for the node it was at.
		hasRun: (nodeName) => readList(nodes[nodeName] ?? [], `the runs of ${nodeName}`).length > 0,
		items(nodeName, output = 0) {
			const lastRun = readList(nodes[nodeName], `the runs of ${nodeName}`).at(-1);
			const { data } = readObject(lastRun, `the last run of ${nodeName}`);
			const outputs = readList(readObject(data, 'the outputs').main, 'the main outputs');
			const items = readList(outputs[output] ?? [], `output ${output} of ${nodeName}`);
			return items.map((item) => readObject(readObject(item, 'an item').json, 'json'));
		},
	};
}

/**
 * Reads what `n8n execute --rawOutput` printed.
 *
 * @throws Error when it holds no run data, for example because the workflow could not start.
 */
export function parseWorkflowRun(printed: string): PrintedRun {
	return { ...readWorkflowRun(findRunData(printed)), printed };
}
