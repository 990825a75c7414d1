import { ExpiringMap } from '../../values/caches';
import type { Place } from '../identity';
import { WriteQueue } from '../write-queue';
import type { UnknownCall } from './write-records';
import { ScopedMap, WriteRecords } from './write-records';

/** How long the total of an execution is kept after its last payment. Executions may wait for days, e.g. for approval. */
const MAX_WAITING_MS = 30 * 24 * 60 * 60 * 1000;
/** How long a call of unknown outcome is blocked. */
export const UNKNOWN_CALL_MINUTES = 60;
/**
 * Maximum number of calls kept; the oldest are dropped first. A service that fails immediately can cause this many
 * within minutes.
 */
const MAX_CALLS = 100_000;

/**
 * Amounts sent in this process, per execution or invocation: wei, or tokens with `TOKEN_PLACES` decimal places. The key for
 * native coin is the credential's; the key for a token also contains its address. An absent key means 0.
 *
 * @example
 * const spent = new SpentValue();
 * spent.add('execution 1', [['credential 1', 5n]]);
 * spent.find('execution 1')?.get('credential 1') // 5n
 */
export class SpentValue extends ScopedMap<bigint> {
	constructor() {
		super(MAX_WAITING_MS);
	}

	/** Adds amounts before they are sent; negative amounts take back those of refused writes. */
	add(scope: Place['scope'], amounts: ReadonlyArray<[key: string, amount: bigint]>): void {
		for (const [key, amount] of amounts) {
			if (amount === 0n) continue;
			const spent = this.active(scope);
			spent.set(key, (spent.get(key) ?? 0n) + amount);
		}
	}
}

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
export const spentValue = new SpentValue();
export const unknownCalls = new UnknownCalls();
export const queue = new WriteQueue();
