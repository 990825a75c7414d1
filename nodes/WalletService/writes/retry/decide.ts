/** A write that the node has sent in the retried execution, as the ledger lists it. */
export interface Sent {
	/** Run and item; see `Place`. */
	readonly place: string;
	/** Digest of the input of its run; empty if other runs may have the same. */
	readonly input: string;
	/** Digest of its call. */
	readonly call: string;
	/** Key of its order; absent without one. */
	readonly order?: string | undefined;
}

/** An item of a run. */
export interface Asked extends Sent {
	/** Its index. */
	readonly item: number;
}

/** What a Retry does with an item: return the answer of a write, refuse it because of a write, or send it. */
export type Decision<Write> =
	| { readonly is: 'answer' | 'conflict'; readonly write: Write }
	| { readonly is: 'send' };

const SEND = { is: 'send' } as const;

/** The write of an order answers no other one. */
const areOfOneOrder = (write: Sent, asked: Sent): boolean =>
	write.order === undefined || asked.order === undefined || write.order === asked.order;

/** Writes by a part of them, in their order; those without it have none. */
function byKey<Write extends Sent>(
	writes: Iterable<Write>,
	keyOf: (sent: Sent) => string | undefined,
): ReadonlyMap<string | undefined, Write[]> {
	const groups = new Map<string, Write[]>();
	for (const write of writes) {
		const key = keyOf(write);
		if (key === undefined) continue;
		const group = groups.get(key) ?? [];
		group.push(write);
		groups.set(key, group);
	}
	return groups;
}

/**
 * Decides what a Retry does with all items of a run together. Each step is taken for all items before the next one, because
 * what stands at the place of an item may be the write of another one.
 *
 * @param open writes of the execution that do not answer anything yet, the oldest first
 * @returns the decisions by index of the item
 * @example
 * const write = { place: '0/0', input: '5f', call: 'a' };
 * decide([write], [{ item: 0, place: '0/1', input: '7c', call: 'a' }]).get(0)?.is // 'answer'
 */
export function decide<Write extends Sent>(
	open: readonly Write[],
	asked: readonly Asked[],
): Map<number, Decision<Write>> {
	const left = new Set(open);
	const decided = new Map<number, Decision<Write>>();
	const answer = (keyOf: (sent: Sent) => string | undefined) => {
		const writes = byKey(left, keyOf);
		for (const one of asked) {
			if (decided.has(one.item)) continue;
			const equal = writes.get(keyOf(one)) ?? [];
			const write = equal.find((sent) => areOfOneOrder(sent, one));
			if (write === undefined) continue;
			equal.splice(equal.indexOf(write), 1);
			left.delete(write);
			decided.set(one.item, { is: 'answer', write });
		}
	};
	answer(({ place, call }) => `${place} ${call}`);
	answer(({ call }) => call);
	answer(({ place, input }) => (input === '' ? undefined : `${place} ${input}`));
	const standing = byKey(left, ({ place }) => place);
	for (const { item, place } of asked) {
		const [write] = standing.get(place) ?? [];
		if (!decided.has(item)) decided.set(item, write ? { is: 'conflict', write } : SEND);
	}
	return decided;
}
