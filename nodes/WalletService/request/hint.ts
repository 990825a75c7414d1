import type { IExecuteFunctions, IExecuteSingleFunctions } from 'n8n-workflow';

import type { NodeRun } from './node-run';

type ShowHint = IExecuteFunctions['addExecutionHints'];

/** Runs that have shown a hint already. */
const shown = new WeakMap<NodeRun, Set<string>>();

/**
 * Shows a warning above the node's output, once in a run however many items it is about.
 *
 * @param key what the warning is about
 */
export function warnOnce(
	context: IExecuteSingleFunctions,
	run: NodeRun,
	{ key, message }: { readonly key: string; readonly message: string },
): void {
	const keys = shown.get(run) ?? new Set();
	shown.set(run, keys);
	if (keys.has(key)) return;
	keys.add(key);
	// n8n's own routing, which runs the node as a tool of older agents, has no output pane and no hints.
	const addExecutionHints: ShowHint | undefined = Reflect.get(context, 'addExecutionHints');
	addExecutionHints?.call(context, { message, type: 'warning', location: 'outputPane' });
}
