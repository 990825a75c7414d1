import { monotonicMs } from '../../values/clock';
import { isItem } from '../../values/objects';
import type { CanonicalCall, Place } from '../identity';

/** A write that is done. */
export interface DoneWrite {
	readonly answer: unknown;
	/** When the sending began: ISO 8601, UTC, with milliseconds. */
	readonly submittedAt: string;
	/** The user whose wallet sent it, as the credential named them then; absent when it named none. */
	readonly userId?: string;
	/** Transaction hashes of an earlier sending of unknown outcome. */
	readonly earlierHashes?: readonly string[];
}

/** Why nobody knows the outcome of a call, and the hashes that came with it. */
export interface UnknownCall {
	readonly reason: string;
	readonly hashes: readonly string[];
}

/** What is known of a write that was sent; a shortened record has no call of unknown outcome. */
export type WriteRecord =
	| (DoneWrite & { readonly state: 'answered'; readonly call: CanonicalCall })
	| (UnknownCall & { readonly state: 'unknown'; readonly call?: CanonicalCall });

/** Largest size of all records kept in full, in characters of their JSON; beyond it the oldest are shortened. */
const MAX_SIZE = 48_000_000;
/** How long an execution is remembered after its last write. */
const MAX_IDLE_MS = 24 * 60 * 60 * 1000;
/** Longest call that a shortened record still shows with its arguments, in characters of its JSON. */
const MAX_CALL = 1000;

/**
 * Values of executions, for a time after each was last active, and of invocations, as long as n8n keeps the object that
 * identifies the invocation.
 *
 * @example
 * const totals = new ByScope(60_000);
 * totals.active('execution 1').set('credential 1', 5n);
 * totals.find('execution 1')?.get('credential 1') // 5n
 */
export class ByScope<T> {
	readonly #maxIdleMs: number;

	/** The most recently active one last. */
	readonly #executions = new Map<string, { readonly values: Map<string, T>; activeAt: number }>();

	readonly #invocations = new WeakMap<object, Map<string, T>>();

	constructor(maxIdleMs: number) {
		this.#maxIdleMs = maxIdleMs;
	}

	find(scope: Place['scope']): Map<string, T> | undefined {
		if (typeof scope !== 'string') return this.#invocations.get(scope);
		return this.#executions.get(scope)?.values;
	}

	/** The values of a scope, which is active now. */
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
	/** Without its scope: an invocation must not be kept alive by it. */
	readonly place: Omit<Place, 'scope'>;
	/** JSON, so that its size is known and it cannot be changed. */
	text: string;
}

const keyOfPlace = ({ node, run, item }: Place): string => JSON.stringify([run, item, node]);

const recordOf = ({ text }: Stored): WriteRecord => JSON.parse(text) as WriteRecord;

/** What is needed so that a write is not sent again and its hash is not lost. */
function shortened(record: WriteRecord): WriteRecord {
	if (record.state === 'unknown') {
		const { state, reason, hashes } = record;
		return { state, reason, hashes };
	}
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
 * Remembers in this process which writes were sent, so that a node that n8n runs again does not send them twice. Records
 * are kept by execution, for a time after its last write. Beyond a total size the oldest are shortened; none is forgotten.
 *
 * @example
 * const records = new WriteRecords();
 * const place = { scope: 'execution 1', node: 'Wallet Service', run: 0, item: 0 };
 * records.keep(place, { state: 'unknown', reason: 'no answer', hashes: [] });
 * records.find(place)?.state // 'unknown'
 */
export class WriteRecords {
	readonly #maxSize: number;

	readonly #scopes: ByScope<Stored>;

	/** Records that are not shortened, the oldest first; also those of scopes that are gone, until they are the oldest. */
	readonly #full = new Set<Stored>();

	/** Size of these, in characters. */
	#size = 0;

	/** @param limits for tests */
	constructor({ maxSize = MAX_SIZE, maxIdleMs = MAX_IDLE_MS } = {}) {
		this.#maxSize = maxSize;
		this.#scopes = new ByScope(maxIdleMs);
	}

	/** What is known of the write at a place; `undefined` when none was sent there, or it certainly was not done. */
	find(place: Place): WriteRecord | undefined {
		const stored = this.#scopes.find(place.scope)?.get(keyOfPlace(place));
		return stored && recordOf(stored);
	}

	/** What is known of the writes of the run that a place belongs to, by item. */
	ofRun({ scope, node, run }: Place): [item: number, record: WriteRecord][] {
		return [...(this.#scopes.find(scope)?.values() ?? [])]
			.filter(({ place }) => place.node === node && place.run === run)
			.map((stored): [number, WriteRecord] => [stored.place.item, recordOf(stored)])
			.sort(([one], [other]) => one - other);
	}

	/** Whether an execution or invocation has sent anything, or may have. */
	hasAny(scope: Place['scope']): boolean {
		return (this.#scopes.find(scope)?.size ?? 0) > 0;
	}

	/** Keeps what is known of the write at a place. */
	keep(place: Place, record: WriteRecord): void {
		this.remove(place);
		const { node, run, item } = place;
		const stored = { place: { node, run, item }, text: JSON.stringify(record) };
		this.#scopes.active(place.scope).set(keyOfPlace(place), stored);
		this.#full.add(stored);
		this.#size += stored.text.length;
		for (const oldest of this.#full) {
			if (this.#size <= this.#maxSize) return;
			this.#drop(oldest);
			oldest.text = JSON.stringify(shortened(recordOf(oldest)));
		}
	}

	/** Removes a write that certainly was not done, so that it may be sent again. */
	remove(place: Place): void {
		const ofScope = this.#scopes.find(place.scope);
		const stored = ofScope?.get(keyOfPlace(place));
		if (stored === undefined) return;
		ofScope?.delete(keyOfPlace(place));
		this.#drop(stored);
	}

	/** No longer counts a record among those that are kept in full. */
	#drop(stored: Stored): void {
		if (this.#full.delete(stored)) this.#size -= stored.text.length;
	}
}
