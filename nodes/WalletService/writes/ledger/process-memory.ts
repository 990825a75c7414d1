import { ExpiringMap } from '../../values/caches';
import { WriteQueue } from '../queue';
import type { UnknownCall } from './process-records';
import { WriteRecords } from './process-records';
import { SentWrites } from './sent-writes';

/** How long a call of unknown outcome is blocked. */
export const UNKNOWN_CALL_MINUTES = 60;
/**
 * Maximum number of calls kept; the oldest are dropped first. A service that fails immediately can cause this many
 * within minutes.
 */
const MAX_CALLS = 100_000;

/**
 * Calls of unknown outcome in this process, by credential and canonical call. A caller without an answer (a model, a
 * webhook client, a parent workflow) tries again, and would send the same transaction twice.
 *
 * @example
 * const calls = new UnknownCalls();
 * calls.set('key', { reason: 'no answer', hashes: [] }, 0);
 * [calls.get('key', 1)?.reason, calls.get('key', UNKNOWN_CALL_MINUTES * 60_000)] // ['no answer', undefined]
 */
export class UnknownCalls extends ExpiringMap<UnknownCall> {
	constructor() {
		super({ maxEntries: MAX_CALLS, holdsForMs: UNKNOWN_CALL_MINUTES * 60_000 });
	}
}

/** This process's memory of its writes, across all nodes, executions and tools. */
export const records = new WriteRecords();
export const sentWrites = new SentWrites();
export const unknownCalls = new UnknownCalls();
export const queue = new WriteQueue();
