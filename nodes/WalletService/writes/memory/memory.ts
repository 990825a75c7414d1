import { ExpiringMap } from '../../values/caches';
import type { Place } from '../identity';
import { WriteQueue } from '../write-queue';
import type { UnknownCall } from './write-records';
import { ByScope, WriteRecords } from './write-records';

/** How long the total of an execution is kept after its last payment: it may wait for days, for a person for example. */
const MAX_WAITING_MS = 30 * 24 * 60 * 60 * 1000;
/** How long a call of unknown outcome is blocked. */
export const UNKNOWN_CALL_MINUTES = 60;
/** Most calls kept; the oldest are dropped first. A service that fails at once leaves so many in some minutes. */
const MAX_CALLS = 100_000;

/**
 * How much each execution, or invocation, has sent with each credential, in this process: native coin by the key of the
 * credential, a token by that and its address.
 *
 * @example
 * const spent = new SpentValue();
 * spent.add('execution 1', 'credential 1', 5n);
 * spent.of('execution 1', 'credential 1') // 5n
 */
export class SpentValue {
	readonly #spent = new ByScope<bigint>(MAX_WAITING_MS);

	/** In wei, or in tokens with the places of their limits. */
	of(scope: Place['scope'], credential: string): bigint {
		return this.#spent.find(scope)?.get(credential) ?? 0n;
	}

	/** Adds an amount that is about to be sent; a negative one reverts what certainly was not sent. */
	add(scope: Place['scope'], credential: string, amount: bigint): void {
		if (amount === 0n) return;
		this.#spent.active(scope).set(credential, this.of(scope, credential) + amount);
	}
}

/**
 * Calls of unknown outcome, in this process, by credential and canonical call. Whoever got no answer asks again, be it a
 * model, a caller of a webhook or a workflow around: the same transaction would be sent twice.
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

/** What this process knows of its writes, across all nodes, executions and tools. */
export const records = new WriteRecords();
export const spentValue = new SpentValue();
export const unknownCalls = new UnknownCalls();
export const queue = new WriteQueue();
