import type { Place } from './place';
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
	/** JSON, so that its size is known, and nobody changes it. */
	readonly text: string;
}

/** What is known of the writes of one execution or invocation. */
export class ScopeRecords {
	/** Time of the last write, in milliseconds. */
	activeAt = 0;

	/** What the records take, in characters. */
	size = 0;

	readonly #stored = new Map<string, Stored>();

	/**
	 * The last place of each node whose record was forgotten. n8n comes to the places of a node in order, so all up to
	 * it were reached; one that is not stored any more may have been sent.
	 */
	readonly #forgotten = new Map<string, PlaceInScope>();

	find(place: PlaceInScope): WriteRecord | undefined {
		const stored = this.#stored.get(keyOf(place));
		if (stored !== undefined) return JSON.parse(stored.text) as WriteRecord;
		const last = this.#forgotten.get(place.node);
		return last !== undefined && isUpTo(place, last) ? FORGOTTEN : undefined;
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

	/** Forgets the oldest record; returns what it took. */
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
