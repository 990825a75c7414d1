import { readList, readObject, readObjects, type JsonObject } from '../files/json.mts';

/** The data of an execution. */
export interface WorkflowRun {
	/** The error that stopped the workflow, if any. */
	error: string | undefined;
	/** Whether a node has run. */
	hasRun(nodeName: string): boolean;
	/** Output items of a node's last run. */
	items(nodeName: string, output?: number): JsonObject[];
}

/** An execution by n8n's command line. */
export interface PrintedRun extends WorkflowRun {
	/** n8n's whole output: log lines and run data. */
	printed: string;
}

/** The run data is printed between log lines: from the first line with only `{` to the line with only `}`. */
function findRunData(printed: string): unknown {
	const lines = printed.split('\n');
	const start = lines.indexOf('{');
	const end = lines.indexOf('}', start);
	if (start < 0 || end < 0) throw new Error(`n8n printed no run data:\n${printed}`);
	return JSON.parse(lines.slice(start, end + 1).join('\n'));
}

/**
 * Reads an execution of n8n's command line or public API.
 *
 * @throws Error if it has no run data.
 */
export function readWorkflowRun(execution: unknown): WorkflowRun {
	const { data } = readObject(execution, 'the execution');
	const { resultData } = readObject(data, 'the execution data');
	const { runData, error } = readObject(resultData, 'the result data');
	const nodes = readObject(runData, 'the run data');
	return {
		error: error === undefined ? undefined : String(readObject(error, 'the error').message),
		// An interrupted execution may have an empty list for its last node.
		hasRun: (nodeName) => readList(nodes[nodeName] ?? [], `the runs of ${nodeName}`).length > 0,
		items(nodeName, output = 0) {
			const lastRun = readList(nodes[nodeName], `the runs of ${nodeName}`).at(-1);
			const { data } = readObject(lastRun, `the last run of ${nodeName}`);
			const outputs = readList(readObject(data, 'the outputs').main, 'the main outputs');
			const items = readObjects(outputs[output] ?? [], `output ${output} of ${nodeName}`);
			return items.map(({ json }) => readObject(json, 'an item'));
		},
	};
}

/**
 * Reads the output of `n8n execute --rawOutput`.
 *
 * @throws Error if it has no run data, for example because the workflow could not start.
 */
export function parseWorkflowRun(printed: string): PrintedRun {
	return { ...readWorkflowRun(findRunData(printed)), printed };
}
