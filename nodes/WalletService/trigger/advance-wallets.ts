import type { Observation, TimedItem } from './observation';
import type { WalletStates } from './state';

/** The result of one poll. */
export interface PollStep {
	readonly after: WalletStates;
	/** Items of all wallets, oldest first. */
	readonly items: readonly TimedItem[];
	/** Whether `after` has to be saved even without items. */
	readonly mustBeSaved: boolean;
}

/**
 * Advances the state of every wallet that was observed; the others are unchanged. Wallets that are no longer watched are
 * dropped.
 *
 * @param observations by user ID
 */
export function advanceWallets(
	before: WalletStates,
	observations: ReadonlyMap<string, Observation>,
	userIds: readonly string[],
): PollStep {
	const steps = userIds.map((userId) => {
		const known = before.get(userId) ?? {};
		return { userId, known, step: observations.get(userId)?.advance(known) };
	});
	const items = steps.flatMap(({ step }) => step?.items ?? []);
	return {
		after: new Map(steps.map(({ userId, known, step }) => [userId, step?.state ?? known])),
		items: items.sort((one, other) => one.time - other.time),
		mustBeSaved: steps.some(({ step }) => step?.mustBeSaved),
	};
}
