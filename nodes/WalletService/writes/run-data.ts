import type { IExecuteSingleFunctions } from 'n8n-workflow';

import { executionIdOf } from '../request/run/tool-call';
import { momentOf } from '../values/clock';

/** A run of a node, as far as n8n's data have it. */
interface RunOfNode {
	readonly startTime?: number;
	readonly executionStatus?: string;
	readonly data?: unknown;
}

/** The runs of the execution by node; those of the first execution with them in a Retry. */
function runsByNode(context: IExecuteSingleFunctions): Readonly<Record<string, RunOfNode[]>> {
	const { resultData } = Object(Reflect.get(context, 'runExecutionData'));
	return Object(Object(resultData).runData);
}

/**
 * Whether the node's first run is one that n8n has invented after a crash, because it had saved none: a Retry of the
 * execution then begins at the second, although it repeats the first.
 *
 * @example beginsInvented(context) // false, except in a Retry after a crash
 */
export function beginsInvented(context: IExecuteSingleFunctions): boolean {
	const { executionStatus, data } = Object(runsByNode(context)[context.getNode().name]?.[0]);
	const [item] = Object(data).main?.[0] ?? [];
	return (
		executionStatus === 'crashed' || Object(item).json?.isArtificialRecoveredEventItem === true
	);
}

interface Sent {
	readonly submittedAt: string;
	readonly sentAtMs?: number;
	readonly execution?: string;
}

/** The service tells times in whole seconds, and answers late; n8n takes longer to start again. */
const TOLERANCE_MS = 2_000;

/**
 * Whether a write was sent for items that may be others than those of this run: a Retry that has run other steps before
 * the node, or an execution of which a Retry has run ahead. n8n counts the runs of each Retry from 0, that of the node
 * included.
 */
function isOfOtherItems(context: IExecuteSingleFunctions, sender: string | undefined): boolean {
	if (context.getMode() !== 'retry') return sender !== undefined;
	return Object(Reflect.get(context, 'additionalData')).currentNodeExecutionIndex > 1;
}

/**
 * Whether a node of the execution has begun a run after a write at this node's place was sent. Then a Retry has not
 * begun at this node but before, as after a crash without saved progress, and its items may be others. The time proves
 * nothing if another Retry of the same execution has sent the write meanwhile.
 *
 * @param write when it was sent, and by which execution, if known
 * @example hasRunSince(context, { submittedAt: '2026-11-21T13:28:22.000Z' }) // true, in such a Retry
 */
export function hasRunSince(
	context: IExecuteSingleFunctions,
	{ submittedAt, sentAtMs = NaN, execution }: Sent,
): boolean {
	// n8n's further attempts have the same item, whatever has begun beside them.
	if (execution === executionIdOf(context)) return false;
	if (isOfOtherItems(context, execution)) return true;
	const latest = (sentAtMs || momentOf(submittedAt)) + TOLERANCE_MS;
	const runs = Object.values(runsByNode(context)).flat();
	return runs.some(({ startTime = 0 }) => startTime > latest);
}
