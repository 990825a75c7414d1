import type { Place } from '../place';
import type { WriteAccount } from '../account';
import { isSameAccount } from '../account';
import { ScopedMap } from './process-records';

const DAY_MS = 24 * 60 * 60_000;
/**
 * How long the sums of an execution, and what it may have sent, are kept after its last payment. Executions may wait for days,
 * e.g. for approval.
 */
const MAX_WAITING_MS = 30 * DAY_MS;

/** The amounts of a write, each with the name of the sum to which it belongs. */
export type Amounts = ReadonlyArray<readonly [sum: string, amount: bigint]>;

/** What a process knows of a write that it sends. */
export interface CountedWrite {
	readonly node: string;
	readonly account: WriteAccount;
	/** Until it is `done` or `unknown`, another execution may have sent it. */
	readonly state: 'begun' | 'unknown' | 'done';
	readonly amounts: Amounts;
	/** The key under which it was last sent; absent where the service keeps no writes. */
	readonly key?: string | undefined;
}

/** Adds amounts to sums. @example addTo(new Map(), [['credential 1', 5n]]); */
export function addTo(sums: Map<string, bigint>, amounts: Amounts, sign = 1n): void {
	for (const [sum, amount] of amounts) sums.set(sum, (sums.get(sum) ?? 0n) + sign * amount);
}

/** One of two calls may have been sent: in each sum, the one that moves more. */
function larger(one: Amounts, other: Amounts): Amounts {
	const sums = new Set([...one, ...other].map(([sum]) => sum));
	return [...sums].map((sum) => {
		const [first, second] = [amountIn(one, sum), amountIn(other, sum)];
		return [sum, first > second ? first : second];
	});
}

/** The amount of a write in a sum. @example amountIn([['credential 1', 5n]], 'credential 1') // 5n */
export const amountIn = (amounts: Amounts, sum: string): bigint =>
	amounts.reduce((total, [name, amount]) => (name === sum ? total + amount : total), 0n);

/**
 * The writes of this process by execution, or invocation, and key, with the sums of what they move. A write counts once,
 * however often it is tried.
 *
 * @example
 * const sent = new SentWrites();
 * const write = { node: 'Pay', account: { key: 'token 1' }, amounts: [['credential 1', 5n]] };
 * sent.note('execution 1', 'n8n-5f16', { ...write, state: 'unknown' });
 * sent.note('execution 1', 'n8n-5f16', { ...write, state: 'done' });
 * sent.sums('execution 1')?.get('credential 1') // 5n
 */
export class SentWrites {
	readonly #writes = new ScopedMap<CountedWrite>(DAY_MS);

	/** Those that are unknown, which may be decided later. */
	readonly #unknown = new ScopedMap<CountedWrite>(MAX_WAITING_MS);

	readonly #sums = new ScopedMap<bigint>(MAX_WAITING_MS);

	find(scope: Place['scope'], key: string): CountedWrite | undefined {
		return this.#unknown.find(scope)?.get(key) ?? this.#writes.find(scope)?.get(key);
	}

	/** All writes of an execution. */
	*all(scope: Place['scope']): Iterable<CountedWrite> {
		for (const writes of [this.#writes, this.#unknown]) yield* writes.find(scope)?.values() ?? [];
	}

	sums(scope: Place['scope']): ReadonlyMap<string, bigint> | undefined {
		return this.#sums.find(scope);
	}

	/**
	 * Notes what is known of a write. What was done stays so, unless it is done once more under its next key. While it is
	 * unknown which of two calls was sent, the one that moves more counts.
	 *
	 * @param write `undefined` if it certainly was not sent, and will not be
	 */
	note(scope: Place['scope'], key: string, write: CountedWrite | undefined): void {
		const before = this.find(scope, key);
		if (before?.state === 'done' && write?.state !== 'done') return;
		if (before && write?.state === 'begun') return;
		this.#count(scope, before?.amounts, -1n);
		const isStillUnknown = before?.state === 'unknown' && write?.state === 'unknown';
		const now = isStillUnknown
			? { ...write, amounts: larger(before.amounts, write.amounts) }
			: write;
		this.#count(scope, now?.amounts);
		for (const writes of [this.#writes, this.#unknown]) writes.find(scope)?.delete(key);
		const own = now?.state === 'unknown' ? this.#unknown : this.#writes;
		if (now) own.active(scope).set(key, now);
	}

	/**
	 * Forgets what certainly was not sent, and will not be, as its service has decided of the keys under which it was last sent.
	 *
	 * @param account at whose service the keys count
	 */
	noteNeverSent(scope: Place['scope'], account: WriteAccount, keys: ReadonlySet<string>): void {
		for (const [name, { key, account: own }] of [...(this.#unknown.find(scope) ?? [])]) {
			const isDecided = key !== undefined && keys.has(key) && isSameAccount(own, account);
			if (isDecided) this.note(scope, name, undefined);
		}
	}

	/** Counts no amounts for a write that an attempt has begun, but another one has sent. */
	noteOfOther(scope: Place['scope'], key: string): void {
		const write = this.find(scope, key);
		if (write?.state !== 'begun') return;
		this.note(scope, key, undefined);
		this.note(scope, key, { ...write, amounts: [] });
	}

	#count(scope: Place['scope'], amounts: Amounts = [], sign = 1n): void {
		const moved = amounts.filter(([, amount]) => amount !== 0n);
		if (moved.length > 0) addTo(this.#sums.active(scope), moved, sign);
	}
}
