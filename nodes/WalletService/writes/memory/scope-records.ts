import type { Place } from '../place';
import type { WriteRecord } from './write-record';

const FORGOTTEN: WriteRecord = {
	state: 'unknown',
	reason: 'its record had to be forgotten, because there were too many of them',
	hashes: [],
};

type PlaceInScope = Pick<Place, 'node' | 'run' | 'item'>;

const keyOf = ({ node, run, item }: PlaceInScope): string => JSON.stringify([run, item, node]);

/** Whether the first of two places of one node comes before the second, or is the same. */
function isUpTo(one: PlaceInScope, other: PlaceInScope): boolean {
	return one.run < other.run || (one.run === other.run && one.item <= other.item);
}

interface Stored {
	readonly place: PlaceInScope;
	/** JSON, so that its size is known and it cannot be changed. */
	readonly text: string;
}

/**
 * Records of the writes of one execution or invocation.
 *
 * @example
 * const records = new ScopeRecords();
 * const place = { node: 'Wallet Service', run: 0, item: 0 };
 * records.keep(place, { state: 'unknown', reason: 'no answer', hashes: [] });
 * records.find(place)?.state // 'unknown'
 */
export class ScopeRecords {
	/** Time of the last write, in milliseconds. */
	activeAt = 0;

	/** Size of the records, in characters. */
	size = 0;

	readonly #stored = new Map<string, Stored>();

	/**
	 * The last place of each node whose record was forgotten. n8n visits the places of a node in order, so all up to
	 * it were visited; one without a record may have been sent.
	 */
	readonly #forgotten = new Map<string, PlaceInScope>();

	find(place: PlaceInScope): WriteRecord | undefined {
		const stored = this.#stored.get(keyOf(place));
		if (stored !== undefined) return JSON.parse(stored.text) as WriteRecord;
		const last = this.#forgotten.get(place.node);
		return last !== undefined && isUpTo(place, last) ? FORGOTTEN : undefined;
	}

	/** The records of one run of a node, in the order of its items. */
	ofRun({ node, run }: PlaceInScope): [item: number, record: WriteRecord][] {
		const found = [...this.#stored.values()].filter(
			({ place }) => place.node === node && place.run === run,
		);
		return found
			.map(({ place, text }): [number, WriteRecord] => [
				place.item,
				JSON.parse(text) as WriteRecord,
			])
			.sort(([one], [other]) => one - other);
	}

	keep(place: PlaceInScope, record: WriteRecord): void {
		const { node, run, item } = place;
		const key = keyOf(place);
		const stored = { place: { node, run, item }, text: JSON.stringify(record) };
		this.remove(place);
		this.#stored.set(key, stored);
		this.size += key.length + stored.text.length;
	}

	remove(place: PlaceInScope): void {
		const key = keyOf(place);
		const stored = this.#stored.get(key);
		if (stored === undefined) return;
		this.#stored.delete(key);
		this.size -= key.length + stored.text.length;
	}

	/** Forgets the oldest record; returns its size in characters. */
	forgetOldest(): number {
		const [oldest] = this.#stored.values();
		if (oldest === undefined) return 0;
		const before = this.size;
		this.remove(oldest.place);
		const { place } = oldest;
		const last = this.#forgotten.get(place.node);
		if (last === undefined || !isUpTo(place, last)) this.#forgotten.set(place.node, place);
		return before - this.size;
	}
}
