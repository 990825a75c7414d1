import type { IExecuteFunctions, IExecuteSingleFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Run } from './run';

type ShowHint = IExecuteFunctions['addExecutionHints'];

/** Shows a warning above the node's output, once in a run however many items it is about. */
export function warnOnce(context: IExecuteSingleFunctions, run: Run, message: string): void {
	if (run.hasWarned) return;
	run.hasWarned = true;
	// n8n's own routing, which runs the node as a tool of older agents, has no output pane and no hints.
	const addExecutionHints: ShowHint | undefined = Reflect.get(context, 'addExecutionHints');
	addExecutionHints?.call(context, { message, type: 'warning', location: 'outputPane' });
}

/**
 * Warns when nothing went well, but n8n is going to say something else: with *Always Output Data* it puts an empty item on
 * an output that would be empty, also on the one for what went well beside an error output.
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
