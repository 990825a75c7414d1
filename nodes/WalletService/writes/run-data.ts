import type { IExecuteSingleFunctions } from 'n8n-workflow';

import { executionIdOf } from '../request/run/tool-call';
import { momentOf } from '../values/clock';
import { hashesIn } from '../values/hashes';

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

/** Whether n8n has invented a run after a crash: a Retry counts it, although it repeats it. */
function isInvented({ executionStatus, data }: RunOfNode): boolean {
	const [item] = Object(data).main?.[0] ?? [];
	return (
		executionStatus === 'crashed' || Object(item).json?.isArtificialRecoveredEventItem === true
	);
}

/**
 * The index of a run of the node among those that n8n has not invented.
 *
 * @example genuineRun(context, 0) // 0
 */
export function genuineRun(context: IExecuteSingleFunctions, run: number): number {
	const earlier = runsByNode(context)[context.getNode().name]?.slice(0, run) ?? [];
	return run - earlier.filter(isInvented).length;
}

/**
 * The hashes in the outputs that n8n has kept of the node's earlier runs, in lower case. A refused item pays nothing, although
 * it may name what was paid.
 *
 * @example keptHashes(context) // new Set(), in the first run
 */
export function keptHashes(context: IExecuteSingleFunctions): ReadonlySet<string> {
	const { $runIndex } = context.getWorkflowDataProxy(context.getItemIndex());
	const earlier = runsByNode(context)[context.getNode().name]?.slice(0, $runIndex) ?? [];
	const outputs = earlier.flatMap(({ data }) => Object.values(Object(data))).flat(2);
	const isRefused = (item: unknown) =>
		Object(Object(Object(item).json).details).outcome === 'refused';
	const kept = outputs.filter((item) => !isRefused(item));
	return new Set(hashesIn(JSON.stringify(kept)).map((hash) => hash.toLowerCase()));
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
