import { ExpiringMap } from '../../values/caches';
import type { Place } from '../identity';
import { WriteQueue } from '../write-queue';
import type { UnknownCall } from './write-records';
import { ScopedMap, WriteRecords } from './write-records';

/** How long the total of an execution is kept after its last payment: it may wait for days, for example for an approval. */
const MAX_WAITING_MS = 30 * 24 * 60 * 60 * 1000;
/** How long a call of unknown outcome is blocked. */
export const UNKNOWN_CALL_MINUTES = 60;
/**
 * Maximum number of calls kept; the oldest are dropped first. A service that fails immediately can leave this many within
 * minutes.
 */
const MAX_CALLS = 100_000;

/**
 * Amounts sent per execution or invocation and credential, in this process: native coin by the key of the credential, a
 * token by that key and its address.
 *
 * @example
 * const spent = new SpentValue();
 * spent.add('execution 1', [['credential 1', 5n]]);
 * spent.of('execution 1').get('credential 1') // 5n
 */
export class SpentValue {
	readonly #spent = new ScopedMap<bigint>(MAX_WAITING_MS);

	/** In wei, or in tokens with the decimal places of the limits; nothing for 0. */
	of(scope: Place['scope']): ReadonlyMap<string, bigint> {
		return this.#spent.find(scope) ?? new Map<string, bigint>();
	}

	/** Adds amounts that are about to be sent; negative ones revert what was certainly not sent. */
	add(scope: Place['scope'], amounts: ReadonlyArray<[key: string, amount: bigint]>): void {
		for (const [key, amount] of amounts) {
			if (amount === 0n) continue;
			const spent = this.#spent.active(scope);
			spent.set(key, (spent.get(key) ?? 0n) + amount);
		}
	}
}

/**
 * Calls of unknown outcome in this process, by credential and canonical call. A caller without an answer asks again, be
 * it a model, a webhook client or a surrounding workflow: the same transaction would be sent twice.
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
