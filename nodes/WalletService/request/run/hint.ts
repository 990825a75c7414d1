import type { IExecuteFunctions, IExecuteSingleFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Run } from './run';

type ShowHint = IExecuteFunctions['addExecutionHints'];

/** Shows a warning above the node's output, once per run, however many items cause it. */
export function warnOnce(context: IExecuteSingleFunctions, run: Run, message: string): void {
	if (run.hasWarned) return;
	run.hasWarned = true;
	// n8n's own routing, which runs the node as a tool of older agents, has no output pane and no hints.
	const addExecutionHints: ShowHint | undefined = Reflect.get(context, 'addExecutionHints');
	addExecutionHints?.call(context, { message, type: 'warning', location: 'outputPane' });
}

/** Where n8n's empty item comes from, and what to do about it. */
const WAY_OUT =
	'comes from "Always Output Data" in the settings of this node: switch it off, or what follows runs as if something had been done.';

/**
 * Warns when there is no output, or all items failed, but n8n is about to suggest otherwise: with *Always Output Data* it adds
 * an empty item to any output that would be empty, including the Success output beside an error output.
 */
export function warnOfEmptyItem(
	context: Pick<IExecuteFunctions, 'getNode'>,
	output: readonly INodeExecutionData[],
): void {
	const { alwaysOutputData, onError } = context.getNode();
	const isAdded = output.length === 0 || onError === 'continueErrorOutput';
	if (alwaysOutputData !== true || !isAdded) return;
	if (!output.every(({ json }) => json.error !== undefined)) return;
	const message =
		output.length === 0
			? `There is nothing to give out. The empty item ${WAY_OUT}`
			: `No item went well. The empty item on the Success output ${WAY_OUT}`;
	const addExecutionHints: ShowHint | undefined = Reflect.get(context, 'addExecutionHints');
	addExecutionHints?.call(context, { message, type: 'warning', location: 'outputPane' });
}
