import type { IExecuteFunctions, IExecuteSingleFunctions } from 'n8n-workflow';

import type { NodeRun } from './node-run';

type ShowHint = IExecuteFunctions['addExecutionHints'];

/** Runs that have shown a hint already. */
const hinted = new WeakSet<NodeRun>();

/** Shows a warning above the node's output, once in a run however many items it is about. */
export function warnOnce(context: IExecuteSingleFunctions, run: NodeRun, message: string): void {
	if (hinted.has(run)) return;
	hinted.add(run);
	// n8n's own routing, which runs the node as a tool of older agents, has no output pane and no hints.
	const addExecutionHints: ShowHint | undefined = Reflect.get(context, 'addExecutionHints');
	addExecutionHints?.call(context, { message, type: 'warning', location: 'outputPane' });
}
