import type { Observation, TimedItem } from './observation';
import type { WalletState, WalletStates } from './state';

/** What one poll comes to. */
export interface PollStep {
	readonly after: WalletStates;
	/** Items of all wallets, oldest first. */
	readonly items: readonly TimedItem[];
	/** Whether `after` has to be saved although there are no items. */
	readonly isWorthSaving: boolean;
}

/**
 * Moves the state of every wallet that was observed; the others stay as they are. Wallets that are no longer watched
 * are dropped.
 *
 * @param observations by user id
 */
export function takeIn(
	before: WalletStates,
	observations: ReadonlyMap<string, Observation>,
	userIds: readonly string[],
): PollStep {
	const after = new Map<string, WalletState>();
	const items: TimedItem[] = [];
	let isWorthSaving = false;
	for (const userId of userIds) {
		const known = before.get(userId) ?? {};
		const step = observations.get(userId)?.advance(known);
		after.set(userId, step?.state ?? known);
		items.push(...(step?.items ?? []));
		isWorthSaving ||= step?.isWorthSaving === true;
	}
	items.sort((one, other) => one.time - other.time);
	return { after, items, isWorthSaving };
}
