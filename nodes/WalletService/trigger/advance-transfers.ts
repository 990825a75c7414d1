import { SMALLEST_WINDOW } from '../resources/history/pages';
import type { TransferState } from './state';

export interface KeyedTransfer {
	/** Identifies a transfer. Identical transfers of one transaction share a key and are only counted. */
	readonly key: string;
	/** In milliseconds since 1970. */
	readonly time: number;
}

/** Maximum number of keys kept per wallet for the service's current window; older transfers count as known. */
export const MAX_KNOWN = 2000;
/** Minimum number of keys kept for transfers that have left the window, in case a stale answer lists them again. */
export const MIN_REMEMBERED = 200;

/** Returns the transfers of a window that are not known (`fresh`), and the known keys that it lacks (`left`). */
function beyondKnown<T extends KeyedTransfer>(
	known: readonly string[],
	window: readonly T[],
): { fresh: T[]; left: string[] } {
	const unmatched = new Map<string, number>();
	for (const key of known) unmatched.set(key, (unmatched.get(key) ?? 0) + 1);
	/** Takes one known transfer with this key; false if none is left. */
	const takes = (key: string): boolean => {
		const count = unmatched.get(key) ?? 0;
		if (count > 0) unmatched.set(key, count - 1);
		return count > 0;
	};
	const fresh = window.filter(({ key }) => !takes(key));
	return { fresh, left: known.filter((key) => takes(key)) };
}

/**
 * Processes one history answer. Identical transfers are distinguished by their count, and a count never decreases, so
 * that neither a shrinking window nor a stale answer makes a transfer new again.
 *
 * @param state `undefined` for a wallet that is observed for the first time
 * @param answer transfers of the answer, oldest first
 * @param rules which transfers are wanted, whether the first answer reports any, and whether it certainly lists all there are
 * @returns the new transfers that match, oldest first, and whether earlier ones may be missing, because the service's
 * window was too short
 */
export function advanceTransfers<T extends KeyedTransfer>(
	state: TransferState | undefined,
	answer: readonly T[],
	rules: {
		readonly matches: (transfer: T) => boolean;
		readonly emitExisting: boolean;
		readonly isWhole?: boolean;
	},
): { state: TransferState; fresh: T[]; gapPossible: boolean } {
	const before = state?.known ?? [];
	// Chain time only increases: a transfer older than the first answer's oldest one cannot have been made later.
	const floorBefore = state?.floor ?? answer.at(0)?.time ?? 0;
	const window = answer.filter(({ time }) => time >= floorBefore);
	const { fresh, left } = beyondKnown(before, window);
	const isJoined = fresh.length < answer.length;
	const mayMiss = rules.isWhole !== true && (before.length > 0 || answer.length >= SMALLEST_WINDOW);
	const gapPossible =
		state !== undefined && (state.gap || (!isJoined && mayMiss && fresh.length > 0));
	const tooOld = window.at(-1 - MAX_KNOWN)?.time ?? -Infinity;
	const floor = Math.max(floorBefore, tooOld + 1);
	const kept = window.filter(({ time }) => time >= floor).reverse();
	// After a temporarily incomplete answer, the missing transfers must not count as new.
	const remembered = left.slice(0, Math.max(MIN_REMEMBERED, before.length - kept.length));
	const isSilent = state === undefined && !rules.emitExisting;
	const picked = isSilent ? [] : fresh.filter(rules.matches);
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
