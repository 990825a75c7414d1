import { n8nCommand } from '../../../tools/n8n/cli.mts';
import { readWorkflowRun, type WorkflowRun } from '../../../tools/n8n/workflow-run.mts';

/** Finds the run data, which is printed between log lines: from the first line with only `{` to the line with only `}`. */
function findRunData(printed: string): unknown {
	const lines = printed.split('\n');
	const start = lines.indexOf('{');
	const end = lines.indexOf('}', start);
	if (start < 0 || end < 0) throw new Error(`n8n printed no run data:\n${printed}`);
	return JSON.parse(lines.slice(start, end + 1).join('\n'));
}

/** Executes an imported workflow from its manual trigger. @returns its run data, failed or not. @throws Error if there is none. */
export async function executeWorkflow(userFolder: string, id: string): Promise<WorkflowRun> {
	const { output } = await n8nCommand(userFolder, ['execute', `--id=${id}`, '--rawOutput']);
	return readWorkflowRun(findRunData(output));
}
