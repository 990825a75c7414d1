import type { IExecuteSingleFunctions } from 'n8n-workflow';

import { hashesIn } from '../values/hashes';

/** A run of a node, as far as n8n's data have it. */
interface RunOfNode {
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
