import { ExpiringMap } from '../values/caches';
import type { Origin } from './identity';
import type { WriteRecord } from './memory/write-records';
import { ScopedMap } from './memory/write-records';

const MINUTE_MS = 60_000;

/** By what equal calls of tools are found. */
export interface ToolCall {
	/** Identifies the call with its credential and, where the service keeps no orders, its Order ID. */
	readonly ofExecution: string;
	/** The same with the workflow and the name of the node. */
	readonly ofNode: string;
}

/** Submissions by execution, or invocation, and call. */
const ofExecutions = new ScopedMap<WriteRecord>(24 * 60 * MINUTE_MS);

/** The newest submissions by node and call. */
const ofNodes = new ExpiringMap<WriteRecord>({ maxEntries: 100_000, holdsForMs: 10 * MINUTE_MS });

/**
 * Finds the submission that answers an equal call of a tool: a model never sends one twice in an execution, whatever n8n does
 * with its turns and results. For ten minutes, this also holds across executions of a node: a caller without an answer asks
 * again.
 *
 * @example findOfTool({ budget: 'execution 1' }, { ofExecution: 'call', ofNode: 'call of a node' }) // undefined
 */
export const findOfTool = (
	{ budget }: Pick<Origin, 'budget'>,
	{ ofExecution, ofNode }: ToolCall,
): WriteRecord | undefined => ofExecutions.find(budget)?.get(ofExecution) ?? ofNodes.get(ofNode);

/**
 * Notes a submission of a tool.
 *
 * @example noteOfTool({ budget: 'execution 1' }, call, { state: 'answered', … });
 */
export function noteOfTool(
	{ budget }: Pick<Origin, 'budget'>,
	{ ofExecution, ofNode }: ToolCall,
	record: WriteRecord,
): void {
	ofExecutions.active(budget).set(ofExecution, record);
	ofNodes.set(ofNode, record);
}

/**
 * Whether a tool has sent something in an execution or invocation.
 *
 * @example hasToolSent('execution 1') // false
 */
export const hasToolSent = (scope: Origin['budget']): boolean =>
	(ofExecutions.find(scope)?.size ?? 0) > 0;
