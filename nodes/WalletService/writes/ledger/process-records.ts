import { ExpiringMap } from '../../values/caches';
import { monotonicMs } from '../../values/clock';
import { isItem } from '../../values/objects';
import type { WriteAccount } from '../account';
import type { CanonicalCall } from '../canonical-call';
import type { Place } from '../place';

/** A submitted write. */
export interface DoneWrite {
	readonly answer: unknown;
	/** When sending began: ISO 8601, UTC, with milliseconds. */
	readonly submittedAt: string;
	/** The same by the clock of n8n, in ms since 1970, if that of the service is another one. */
	readonly sentAtMs?: number;
	/** ID of the execution that sent it; absent without one. */
	readonly execution?: string;
	/** The user of the credential at that time, whose wallet sent the write; absent if the credential had none. */
	readonly userId?: string;
	/** Transaction hashes of an earlier attempt of unknown outcome. */
	readonly earlierHashes?: readonly string[];
}

/** The reason for the unknown outcome of a call, and its possible transaction hashes. */
export interface UnknownCall {
	readonly reason: string;
	readonly hashes: readonly string[];
	/** The key under which the service can still decide it; absent where the service keeps no writes. */
	readonly key?: string;
	/** The first key of the write, by which it is recognized. */
	readonly firstKey?: string;
	/** The account at whose service the key counts. */
	readonly account?: WriteAccount;
	/** The call with the account and the node that sent it. */
	readonly nodeKey?: string;
	/** Whether the key is an Order ID, so that an equal call of another order is another write. */
	readonly isOrder?: boolean;
}

/** The record of a write that was sent; a shortened record of unknown outcome has no call. */
export type WriteRecord =
	| (DoneWrite & { readonly state: 'answered'; readonly call: CanonicalCall })
	| (UnknownCall &
			Pick<DoneWrite, 'execution'> & { readonly state: 'unknown'; readonly call?: CanonicalCall });

/** Maximum size of all records kept in full, in characters of their JSON; beyond it, the oldest are shortened. */
const MAX_SIZE = 48_000_000;
/** How long an execution is remembered after its last write. */
const MAX_IDLE_MS = 24 * 60 * 60 * 1000;
/** Maximum length of a call whose arguments remain in a shortened record, in characters of its JSON. */
const MAX_CALL = 1000;

/**
 * Values per execution, kept for a time after its last activity, and per invocation, kept as long as n8n keeps its
 * object.
 *
 * @example
 * const totals = new ScopedMap(60_000);
 * totals.active('execution 1').set('credential 1', 5n);
 * totals.find('execution 1')?.get('credential 1') // 5n
 */
export class ScopedMap<T> {
	readonly #maxIdleMs: number;

	/** In the order of their last activity, most recent last. */
	readonly #executions = new Map<string, { readonly values: Map<string, T>; activeAt: number }>();

	readonly #invocations = new WeakMap<object, Map<string, T>>();

	constructor(maxIdleMs: number) {
		this.#maxIdleMs = maxIdleMs;
	}

	find(scope: Place['scope']): Map<string, T> | undefined {
		if (typeof scope !== 'string') return this.#invocations.get(scope);
		return this.#executions.get(scope)?.values;
	}

	/** Marks a scope as active now, and returns its values. */
	active(scope: Place['scope']): Map<string, T> {
		const activeAt = monotonicMs();
		const values = this.find(scope) ?? new Map<string, T>();
		if (typeof scope === 'string') {
			this.#executions.delete(scope);
			this.#executions.set(scope, { values, activeAt });
		} else this.#invocations.set(scope, values);
		for (const [oldest, execution] of this.#executions) {
			if (activeAt - execution.activeAt <= this.#maxIdleMs) break;
			this.#executions.delete(oldest);
		}
		return values;
	}
}

/** What is known of a write besides its record, from the moment when it is sent. */
export interface SentWrite {
	readonly place: Place;
	/** The key under which it was sent. */
	readonly key: string;
	/** Digest of the input of its run; empty if other runs may have the same. */
	readonly input: string;
	/** Digest of its call. */
	readonly call: string;
	/** By which equal calls of other executions find it; absent for what only stands for a write. */
	readonly equal?: string;
}

interface Stored extends Omit<SentWrite, 'place' | 'equal'> {
	/** The scope is left out: it is known where it is stored. */
	readonly place: Omit<Place, 'scope'>;
	/** The record as JSON, so that its size is known and it cannot be changed. */
	text: string;
	readonly at: number;
	/** The execution that sent it, once it was answered. */
	readonly sender: string | undefined;
}

/** A write of an execution, as this process keeps it. */
export interface KeptWrite extends Omit<SentWrite, 'equal'> {
	readonly record: WriteRecord;
}

const parsedRecord = ({ text }: Stored): WriteRecord => JSON.parse(text) as WriteRecord;

/** Reduces a record to the minimum that prevents a second transaction and keeps the hash. */
function shortened(record: WriteRecord): WriteRecord {
	if (record.state === 'unknown') return { ...record, call: undefined };
	const { digest, shown } = record.call;
	const { contractAddress, function: signature } = shown;
	const isShort = JSON.stringify(shown).length <= MAX_CALL;
	const { status, hash } = isItem(record.answer) ? record.answer : {};
	return {
		...record,
		call: { digest, shown: isShort ? shown : { contractAddress, function: signature } },
		answer: { status, hash },
	};
}

/**
 * The writes that this process has sent to services that keep none, so that a repeated run does not send them again. They are
 * kept per execution and by key, for a time after its last write. Beyond a total size, the oldest are shortened, but not
 * dropped.
 *
 * @example
 * const records = new WriteRecords();
 * const place = { scope: 'execution 1', node: 'Wallet Service', run: 0, item: 0 };
 * const sent = { place, key: 'n8n-5f16', input: '', call: 'ab', equal: 'cd' };
 * records.keep(sent, { state: 'unknown', reason: 'no answer', hashes: [] });
 * records.find('execution 1', 'n8n-5f16')?.state // 'unknown'
 */
export class WriteRecords {
	readonly #maxSize: number;

	readonly #scopes: ScopedMap<Stored>;

	/** Records in full, oldest first. */
	readonly #full = new Set<Stored>();

	/** Submissions by node and call, oldest first. */
	readonly #equal = new ExpiringMap<Stored[]>({ maxEntries: 100_000, holdsForMs: MAX_IDLE_MS });

	/** Total size of the full records, in characters. */
	#size = 0;

	/** @param limits for tests */
	constructor({ maxSize = MAX_SIZE, maxIdleMs = MAX_IDLE_MS } = {}) {
		this.#maxSize = maxSize;
		this.#scopes = new ScopedMap(maxIdleMs);
	}

	/** Finds what was sent under a key; `undefined` if nothing was, or it was refused. */
	find(scope: Place['scope'], key: string): WriteRecord | undefined {
		const stored = this.#scopes.find(scope)?.get(key);
		return stored && parsedRecord(stored);
	}

	/** What a node has sent in an execution, the oldest first. */
	ofNode({ scope, node }: Pick<Place, 'scope' | 'node'>): KeptWrite[] {
		return [...(this.#scopes.find(scope)?.values() ?? [])]
			.filter(({ place }) => place.node === node)
			.map((stored) => ({
				key: stored.key,
				input: stored.input,
				call: stored.call,
				place: { ...stored.place, scope },
				record: parsedRecord(stored),
			}));
	}

	/** Equal submissions of other executions, the newest first. */
	equalCalls(equal: string, execution: string, withinMs: number) {
		const since = monotonicMs() - withinMs;
		const isOfOther = ({ at, sender }: Stored) => at > since && sender !== execution;
		const found = (this.#equal.get(equal) ?? []).filter(isOfOther).reverse();
		return found.map((stored) => ({ key: stored.key, read: () => parsedRecord(stored) }));
	}

	/** Keeps the record of a write under its key. */
	keep({ place, key, input, call, equal }: SentWrite, record: WriteRecord): void {
		this.#drop(this.#scopes.find(place.scope)?.get(key));
		const { node, run, item } = place;
		const sender = record.state === 'answered' ? record.execution : undefined;
		const [at, text] = [monotonicMs(), JSON.stringify(record)];
		const stored = { place: { node, run, item }, key, input, call, text, at, sender };
		this.#scopes.active(place.scope).set(key, stored);
		if (sender !== undefined && equal !== undefined) {
			const others = this.#equal.get(equal) ?? [];
			others.push(stored);
			while (at - (others[0]?.at ?? at) > MAX_IDLE_MS) others.shift();
			this.#equal.set(equal, others);
		}
		this.#full.add(stored);
		this.#size += stored.text.length;
		for (const oldest of this.#full) {
			if (this.#size <= this.#maxSize) return;
			this.#drop(oldest);
			oldest.text = JSON.stringify(shortened(parsedRecord(oldest)));
		}
	}

	/** Removes the record of a refused write, so that it may be sent again. */
	remove(scope: Place['scope'], key: string): void {
		const ofScope = this.#scopes.find(scope);
		this.#drop(ofScope?.get(key));
		ofScope?.delete(key);
	}

	/** Removes a record from the full ones. */
	#drop(stored: Stored | undefined): void {
		if (stored && this.#full.delete(stored)) this.#size -= stored.text.length;
	}
}
