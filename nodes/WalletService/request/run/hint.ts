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

/**
 * Warns when all items failed, but n8n is about to suggest otherwise: with *Always Output Data* it adds an empty item to
 * any output that would be empty, including the Success output beside an error output.
 */
export function warnOfEmptyItem(
	context: Pick<IExecuteFunctions, 'getNode'>,
	output: readonly INodeExecutionData[],
): void {
	const { alwaysOutputData, onError } = context.getNode();
	const isAdded = alwaysOutputData === true && onError === 'continueErrorOutput';
	if (!isAdded || !output.every(({ json }) => json.error !== undefined)) return;
	const addExecutionHints: ShowHint | undefined = Reflect.get(context, 'addExecutionHints');
	addExecutionHints?.call(context, {
		message:
			'All items failed. The empty item on the Success output comes from "Always Output Data" in the settings of this node: switch it off, or what follows runs as if something had been done.',
		type: 'warning',
		location: 'outputPane',
	});
}
