/** What of a transfer is needed to tell whether it is new. */
export interface KeyedTransfer {
	/** Identifies a transfer. Identical transfers of one transaction share it: they can only be counted. */
	readonly key: string;
	/** When it happened, in milliseconds since 1970. */
	readonly time: number;
}

/** Most keys kept per wallet of the service's current window; older transfers count as known. */
export const MAX_KNOWN = 2000;
/** Keys kept of transfers that have left the window, at least, in case a stale answer brings them back. */
export const MAX_REMEMBERED = 200;
/** A shorter window counts as the whole history of a wallet that had no transfers before. */
export const SMALLEST_WINDOW = 10;

/** The saved state of one wallet's transfers. */
export interface TransferState {
	/** Keys of known transfers, repeated for identical transfers. */
	readonly known: readonly string[];
	/** Transfers before this time count as known, in milliseconds since 1970. */
	readonly floor: number;
	/** Whether a possible gap has not yet been reported with an item. */
	readonly gap: boolean;
}

/** The result of one answer. */
export interface TransferStep<T extends KeyedTransfer> {
	readonly state: TransferState;
	/** New transfers that match, oldest first. */
	readonly fresh: readonly T[];
	/** Whether transfers before `fresh` may be missing, because more were made than the service's window holds. */
	readonly gapPossible: boolean;
}

/** How new transfers are selected. */
export interface TransferRules<T extends KeyedTransfer> {
	readonly matches: (transfer: T) => boolean;
	/** Whether the first answer produces items. */
	readonly emitExisting: boolean;
}

/** How often each key occurs. */
function countKeys(keys: Iterable<string>): Map<string, number> {
	const counts = new Map<string, number>();
	for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
	return counts;
}

/** Returns the transfers of a window beyond the counts of known ones, and the keys of `known` that it lacks. */
function compare<T extends KeyedTransfer>(
	known: readonly string[],
	window: readonly T[],
): { fresh: T[]; left: string[] } {
	const unmatched = countKeys(known);
	const fresh = window.filter(({ key }) => {
		const count = unmatched.get(key) ?? 0;
		if (count > 0) unmatched.set(key, count - 1);
		return count === 0;
	});
	const left = known.filter((key) => {
		const count = unmatched.get(key) ?? 0;
		if (count > 0) unmatched.set(key, count - 1);
		return count > 0;
	});
	return { fresh, left };
}

/** The lowest floor from which on a window has at most `MAX_KNOWN` transfers. */
function raiseFloor(floor: number, window: readonly KeyedTransfer[]): number {
	const firstDropped = window.at(-1 - MAX_KNOWN);
	return firstDropped === undefined ? floor : Math.max(floor, firstDropped.time + 1);
}

/**
 * Processes one history answer. Identical transfers are distinguished by their count, and a count never decreases, so that
 * neither a shrinking window nor a stale answer makes a transfer new again.
 *
 * @param state `undefined` for a wallet that is observed for the first time
 * @param answer transfers of the answer, oldest first
 */
export function advanceTransfers<T extends KeyedTransfer>(
	state: TransferState | undefined,
	answer: readonly T[],
	{ matches, emitExisting }: TransferRules<T>,
): TransferStep<T> {
	const before = state?.known ?? [];
	// Chain time only increases: a transfer older than all of the first answer cannot have been made later.
	const floorBefore = state?.floor ?? answer.at(0)?.time ?? 0;
	const window = answer.filter(({ time }) => time >= floorBefore);
	const { fresh, left } = compare(before, window);
	const isJoined = fresh.length < answer.length;
	const mayMiss = before.length > 0 || answer.length >= SMALLEST_WINDOW;
	const gapPossible =
		state !== undefined && (state.gap || (!isJoined && mayMiss && fresh.length > 0));
	const floor = raiseFloor(floorBefore, window);
	const kept = window.filter(({ time }) => time >= floor).reverse();
	// An answer that is incomplete for once must not make the missing transfers new again.
	const remembered = left.slice(0, Math.max(MAX_REMEMBERED, before.length - kept.length));
	const picked = state === undefined && !emitExisting ? [] : fresh.filter(matches);
	return {
		state: {
			known: [...kept.map(({ key }) => key), ...remembered],
			floor,
			gap: gapPossible && picked.length === 0,
		},
		fresh: picked,
		gapPossible: gapPossible && picked.length > 0,
	};
}
