import { monotonicMs } from '../../values/clock';
import { ByScope } from './by-scope';
import type { Place } from '../place';
import { ScopeRecords } from './scope-records';
import type { WriteRecord } from './write-record';

/** Largest size of all answers together, in characters of their JSON; beyond it the oldest are forgotten. */
const MAX_SIZE = 48_000_000;
/** How long an execution is remembered after its last write. */
const MAX_IDLE_MS = 24 * 60 * 60 * 1000;

/** Bounds, for tests. */
export interface RecordLimits {
	readonly maxSize: number;
	readonly maxIdleMs: number;
}

/**
 * Remembers in this process which writes were sent, so that a node that n8n runs again does not send them twice. Records
 * are kept by execution, for a time after its last write. The size is bounded: a write that had to be forgotten counts as
 * one of unknown outcome, never as one that was not sent.
 *
 * @example
 * const records = new WriteRecords();
 * const place = { scope: 'execution 1', node: 'Wallet Service', run: 0, item: 0 };
 * records.keep(place, { state: 'unknown', reason: 'no answer', hashes: [] });
 * records.find(place)?.state // 'unknown'
 */
export class WriteRecords {
	readonly #limits: RecordLimits;

	readonly #records = new ByScope<ScopeRecords>();

	/** Executions that hold answers, the most recently active one last. */
	readonly #withAnswers = new Set<string>();

	#size = 0;

	constructor(limits: RecordLimits = { maxSize: MAX_SIZE, maxIdleMs: MAX_IDLE_MS }) {
		this.#limits = limits;
	}

	/** What is known of the write at a place; `undefined` when none was sent there, or it certainly was not done. */
	find(place: Place): WriteRecord | undefined {
		return this.#records.find(place.scope)?.find(place);
	}

	/** What is known of the writes of the run that a place belongs to, by item. */
	ofRun(place: Place): [item: number, record: WriteRecord][] {
		return this.#records.find(place.scope)?.ofRun(place) ?? [];
	}

	/** Keeps what is known of the write at a place. */
	keep(place: Place, record: WriteRecord): void {
		const records = this.#touch(place.scope);
		const before = records.size;
		records.keep(place, record);
		if (typeof place.scope === 'string') this.#grow(place.scope, records.size - before);
	}

	/** Forgets a write that certainly was not done, so that it may be sent again. */
	remove(place: Place): void {
		const records = this.#records.find(place.scope);
		if (records === undefined) return;
		const before = records.size;
		records.remove(place);
		if (typeof place.scope === 'string') this.#size += records.size - before;
	}

	#touch(scope: Place['scope']): ScopeRecords {
		const records = this.#records.find(scope) ?? new ScopeRecords();
		records.activeAt = monotonicMs();
		this.#records.keep(scope, records);
		if (typeof scope === 'string') this.#dropIdle(records.activeAt);
		return records;
	}

	#grow(execution: string, by: number): void {
		this.#withAnswers.delete(execution);
		this.#withAnswers.add(execution);
		this.#size += by;
		for (const oldest of this.#withAnswers) {
			const records = this.#records.executions.get(oldest);
			while (this.#size > this.#limits.maxSize && records !== undefined && records.size > 0) {
				this.#size -= records.forgetOldest();
			}
			if (this.#size <= this.#limits.maxSize) return;
			this.#withAnswers.delete(oldest);
		}
	}

	#dropIdle(now: number): void {
		for (const [execution, { activeAt, size }] of this.#records.executions) {
			if (now - activeAt <= this.#limits.maxIdleMs) return;
			this.#records.executions.delete(execution);
			this.#withAnswers.delete(execution);
			this.#size -= size;
		}
	}
}
