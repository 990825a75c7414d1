import { monotonicMs } from '../../values/clock';
import { isItem } from '../../values/objects';
import type { CanonicalCall } from '../canonical-call';
import type { Place } from '../place';
import { ByScope } from './by-scope';

/** What is known of a write that was sent. */
export type WriteRecord =
	| {
			readonly state: 'answered';
			readonly call: CanonicalCall;
			readonly answer: unknown;
			/** When the sending began: ISO 8601, UTC, with milliseconds. */
			readonly submittedAt: string;
			/** The user that the credential named when it was sent. */
			readonly userId?: string;
			/** Transaction hashes of an earlier sending of unknown outcome. */
			readonly earlierHashes?: readonly string[];
	  }
	| {
			readonly state: 'unknown';
			/** Absent when the record was shortened. */
			readonly call?: CanonicalCall;
			readonly reason: string;
			readonly hashes: readonly string[];
	  };

/** Largest size of all records kept in full, in characters of their JSON; beyond it the oldest are shortened. */
const MAX_SIZE = 48_000_000;
/** How long an execution is remembered after its last write. */
const MAX_IDLE_MS = 24 * 60 * 60 * 1000;
/** Longest call that a shortened record still shows with its arguments, in characters of its JSON. */
const MAX_CALL = 1000;

/** Bounds, for tests. */
export interface RecordLimits {
	readonly maxSize: number;
	readonly maxIdleMs: number;
}

type PlaceInScope = Pick<Place, 'node' | 'run' | 'item'>;

interface Stored {
	/** Without its scope: an invocation must not be kept alive by it. */
	readonly place: PlaceInScope;
	/** JSON, so that its size is known and it cannot be changed. */
	text: string;
}

interface ScopeRecords {
	/** Time of the last write, by `monotonicMs`. */
	activeAt: number;
	readonly byPlace: Map<string, Stored>;
}

const keyOf = ({ node, run, item }: PlaceInScope): string => JSON.stringify([run, item, node]);

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
	readonly #limits: RecordLimits;

	readonly #scopes = new ByScope<ScopeRecords>();

	/** Records that are not shortened, the oldest first; also those of scopes that are gone, until they are the oldest. */
	readonly #full = new Set<Stored>();

	/** Size of these, in characters. */
	#size = 0;

	constructor(limits: RecordLimits = { maxSize: MAX_SIZE, maxIdleMs: MAX_IDLE_MS }) {
		this.#limits = limits;
	}

	/** What is known of the write at a place; `undefined` when none was sent there, or it certainly was not done. */
	find(place: Place): WriteRecord | undefined {
		const stored = this.#scopes.find(place.scope)?.byPlace.get(keyOf(place));
		return stored === undefined ? undefined : recordOf(stored);
	}

	/** What is known of the writes of the run that a place belongs to, by item. */
	ofRun({ scope, node, run }: Place): [item: number, record: WriteRecord][] {
		return [...(this.#scopes.find(scope)?.byPlace.values() ?? [])]
			.filter(({ place }) => place.node === node && place.run === run)
			.map((stored): [number, WriteRecord] => [stored.place.item, recordOf(stored)])
			.sort(([one], [other]) => one - other);
	}

	/** Keeps what is known of the write at a place. */
	keep(place: Place, record: WriteRecord): void {
		this.remove(place);
		const { node, run, item } = place;
		const stored = { place: { node, run, item }, text: JSON.stringify(record) };
		this.#active(place.scope).byPlace.set(keyOf(place), stored);
		this.#full.add(stored);
		this.#size += stored.text.length;
		for (const oldest of this.#full) {
			if (this.#size <= this.#limits.maxSize) return;
			this.#drop(oldest);
			oldest.text = JSON.stringify(shortened(recordOf(oldest)));
		}
	}

	/** Removes a write that certainly was not done, so that it may be sent again. */
	remove(place: Place): void {
		const byPlace = this.#scopes.find(place.scope)?.byPlace;
		const stored = byPlace?.get(keyOf(place));
		if (stored === undefined) return;
		byPlace?.delete(keyOf(place));
		this.#drop(stored);
	}

	/** No longer counts a record among those that are kept in full. */
	#drop(stored: Stored): void {
		if (this.#full.delete(stored)) this.#size -= stored.text.length;
	}

	#active(scope: Place['scope']): ScopeRecords {
		const now = monotonicMs();
		const records = this.#scopes.find(scope) ?? { activeAt: now, byPlace: new Map() };
		records.activeAt = now;
		this.#scopes.keep(scope, records);
		for (const [execution, { activeAt }] of this.#scopes.executions) {
			if (now - activeAt <= this.#limits.maxIdleMs) break;
			this.#scopes.executions.delete(execution);
		}
		return records;
	}
}
