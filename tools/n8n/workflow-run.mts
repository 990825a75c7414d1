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

/** Reads an execution in the form of n8n's public API. @throws Error if it has no run data. */
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
