import type { IExecuteSingleFunctions } from 'n8n-workflow';

import { executionIdOf } from '../request/run/tool-call';

/** Key of the custom data with the ID of the first execution. n8n's *Retry* copies an execution's custom data. */
const KEY = 'walletServiceExecution';
/** Maximum number of custom data of an execution; n8n drops further ones without an error. */
const MAX_KEYS = 10;
const MINUTE_MS = 60_000;

/**
 * Notes the ID of an execution for a later Retry, before the node reads or sends anything.
 *
 * @example noteExecution(context) // its custom data: { walletServiceExecution: '231' }
 */
export function noteExecution(context: IExecuteSingleFunctions): void {
	const execution = executionIdOf(context);
	if (execution === undefined || KEY in context.customData.getAll()) return;
	context.customData.set(KEY, execution);
}

/**
 * The ID of the execution to which a write belongs: in a Retry, of the first one.
 *
 * @example firstExecutionOf(context) // '231', also in its Retry with the ID 232
 */
export function firstExecutionOf(context: IExecuteSingleFunctions): string | undefined {
	const execution = executionIdOf(context);
	const isRetry = execution !== undefined && context.getMode() === 'retry';
	return (isRetry ? context.customData.getAll()[KEY] : undefined) ?? execution;
}

/**
 * How long a submission of an equal call by the same node, in another execution, counts as the submission of a write, in
 * milliseconds: in the editor, where steps are repeated for their output, and in a Retry whose first execution is unknown.
 *
 * @example repeatWindowMs(context) // 600000, in the editor
 */
export function repeatWindowMs(context: IExecuteSingleFunctions): number {
	const mode = context.getMode();
	if (mode === 'manual') return 10 * MINUTE_MS;
	if (mode !== 'retry') return 0;
	const all = context.customData.getAll();
	// With room for it, its absence means that the retried execution did not reach a node that writes.
	const isKnown = KEY in all || Object.keys(all).length < MAX_KEYS;
	return isKnown ? 0 : 24 * 60 * MINUTE_MS;
}
