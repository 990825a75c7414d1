import { ExpiringMap } from '../../values/caches';
import { monotonicMs } from '../../values/clock';
import { isItem } from '../../values/objects';
import type { CanonicalCall, Place } from '../identity';

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
	readonly account?: string;
	/** Whether the key is an Order ID, so that an equal call of another order is another write. */
	readonly isOrder?: boolean;
}

/** What an execution has tried to send at one place: expressions can give another call for each attempt. */
export interface Tried {
	readonly execution: string | undefined;
	readonly digests: readonly string[];
}

/** The record of a write that was sent; a shortened record of unknown outcome has no call. */
export type WriteRecord =
	| (DoneWrite & { readonly state: 'answered'; readonly call: CanonicalCall })
	| (UnknownCall & Partial<Tried> & { readonly state: 'unknown'; readonly call?: CanonicalCall });

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

interface Stored {
	/** The scope is left out, because it would keep an invocation alive. */
	readonly place: Omit<Place, 'scope'>;
	/** The record as JSON, so that its size is known and it cannot be changed. */
	text: string;
	readonly at: number;
	/** The executions in which a submission stands for a write: the one that sent it, and those that repeat it. */
	readonly executions: string[];
}

const keyOfPlace = ({ node, run, item }: Place): string => JSON.stringify([run, item, node]);

const recordOf = ({ text }: Stored): WriteRecord => JSON.parse(text) as WriteRecord;

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
 * Records of the writes that this process has sent, so that a repeated run does not send them again. They are kept per
 * execution, for a time after its last write. Beyond a total size, the oldest are shortened, but not dropped.
 *
 * @example
 * const records = new WriteRecords();
 * const place = { scope: 'execution 1', node: 'Wallet Service', run: 0, item: 0 };
 * records.keep(place, { state: 'unknown', reason: 'no answer', hashes: [] });
 * records.find(place)?.state // 'unknown'
 */
export class WriteRecords {
	readonly #maxSize: number;

	readonly #scopes: ScopedMap<Stored>;

	/** Full records, oldest first; including those of expired scopes, until they are the oldest. */
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

	/** Finds the record of the write at a place; `undefined` if none was sent there, or it was refused. */
	find(place: Place): WriteRecord | undefined {
		const stored = this.#scopes.find(place.scope)?.get(keyOfPlace(place));
		return stored && recordOf(stored);
	}

	/** The execution that has tried a call at a place, if its outcome is unknown. */
	whoTried(place: Place, digest: string): string | undefined {
		const record = this.find(place);
		const isTried = record?.state === 'unknown' && record.digests?.includes(digest);
		return isTried ? record.execution : undefined;
	}

	/** Returns the records of a place's run, in item order. */
	ofRun({ scope, node, run }: Place): [item: number, record: WriteRecord][] {
		return [...(this.#scopes.find(scope)?.values() ?? [])]
			.filter(({ place }) => place.node === node && place.run === run)
			.map((stored): [number, WriteRecord] => [stored.place.item, recordOf(stored)])
			.sort(([one], [other]) => one - other);
	}

	/** Whether an execution or invocation has sent, or may have sent, a write, and not only repeated an answer. */
	hasSent(scope: Place['scope'], execution?: string): boolean {
		const all = [...(this.#scopes.find(scope)?.values() ?? [])];
		return all.some(({ executions: [sender = execution] }) => sender === execution);
	}

	/**
	 * Finds an equal submission of another execution that does not yet stand for a write of this one.
	 *
	 * @param skip number of further ones to leave out; if absent, the submission stands for a write from here on
	 */
	findEqual(key: string, execution: string, withinMs: number, skip?: number) {
		const since = monotonicMs() - withinMs;
		const isFree = ({ at, executions }: Stored) => at > since && !executions.includes(execution);
		const found = (this.#equal.get(key) ?? []).filter(isFree)[skip ?? 0];
		if (skip === undefined) found?.executions.push(execution);
		return found && recordOf(found);
	}

	/** Keeps the record of the write at a place. @param key by which other executions find a submission */
	keep(place: Place, record: WriteRecord, key?: string): void {
		this.remove(place);
		const { node, run, item } = place;
		const executions = record.state === 'answered' && record.execution ? [record.execution] : [];
		const at = monotonicMs();
		const stored = { place: { node, run, item }, text: JSON.stringify(record), at, executions };
		this.#scopes.active(place.scope).set(keyOfPlace(place), stored);
		if (key !== undefined && executions.length > 0) {
			const equal = this.#equal.get(key) ?? [];
			equal.push(stored);
			while (at - (equal[0]?.at ?? at) > MAX_IDLE_MS) equal.shift();
			this.#equal.set(key, equal);
		}
		this.#full.add(stored);
		this.#size += stored.text.length;
		for (const oldest of this.#full) {
			if (this.#size <= this.#maxSize) return;
			this.#drop(oldest);
			oldest.text = JSON.stringify(shortened(recordOf(oldest)));
		}
	}

	/** Removes the record of a refused write, so that it may be sent again. */
	remove(place: Place): void {
		const ofScope = this.#scopes.find(place.scope);
		const stored = ofScope?.get(keyOfPlace(place));
		if (stored === undefined) return;
		ofScope?.delete(keyOfPlace(place));
		this.#drop(stored);
	}

	/** Removes a record from the full ones. */
	#drop(stored: Stored): void {
		if (this.#full.delete(stored)) this.#size -= stored.text.length;
	}
}
