import type { JsonObject } from '../json.mts';
import { readList, readObject } from '../json.mts';

/** One execution of a workflow, as n8n recorded it. */
export interface WorkflowRun {
	/** The message that stopped the workflow; undefined when it ran to its end. */
	error: string | undefined;
	/** The items that a node sent out: the last time it ran, through the given output. */
	items(nodeName: string, output?: number): JsonObject[];
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
 * Reads what `n8n execute --rawOutput` printed.
 *
 * @throws Error when it holds no run data, for example because the workflow could not start.
 */
export function parseWorkflowRun(printed: string): WorkflowRun {
	const run = readObject(findRunData(printed), 'the execution');
	const { resultData } = readObject(run.data, 'the execution data');
	const { runData, error } = readObject(resultData, 'the result data');
	const nodes = readObject(runData, 'the run data');
	return {
		error: error === undefined ? undefined : String(readObject(error, 'the error').message),
		printed,
		items(nodeName, output = 0) {
			const lastRun = readList(nodes[nodeName], `the runs of ${nodeName}`).at(-1);
			const { data } = readObject(lastRun, `the last run of ${nodeName}`);
			const outputs = readList(readObject(data, 'the outputs').main, 'the main outputs');
			const items = readList(outputs[output] ?? [], `output ${output} of ${nodeName}`);
			return items.map((item) => readObject(readObject(item, 'an item').json, 'json'));
		},
	};
}
