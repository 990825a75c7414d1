import type { IExecuteSingleFunctions } from 'n8n-workflow';

/** A run of a node, as far as n8n's data have it. */
interface RunOfNode {
	readonly startTime?: number;
	readonly executionStatus?: string;
	readonly data?: { readonly main?: ReadonlyArray<readonly unknown[] | null> };
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

/** The clocks of n8n and of the service may differ by this much; n8n takes longer to start again. */
const TOLERANCE_MS = 2_000;

/**
 * Whether a node of the execution has begun a run after a write at this node's place was sent. Then a Retry has not
 * begun at this node but before, as after a crash without saved progress, and its items may be others.
 *
 * @param submittedAt ISO 8601
 * @example hasRunSince(context, '2026-11-21T13:28:22.000Z') // true, in such a Retry
 */
export function hasRunSince(context: IExecuteSingleFunctions, submittedAt: string): boolean {
	const latest = Date.parse(submittedAt) + TOLERANCE_MS;
	const runs = Object.values(runsByNode(context)).flat();
	return runs.some(({ startTime = 0 }) => startTime > latest);
}
