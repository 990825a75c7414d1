/** Sides of a threshold; as a `Crossing`, the side that a balance has to cross to. */
export type Side = 'above' | 'below';
export type Crossing = Side | 'both';

/** The saved state of one wallet's balance. */
export interface BalanceState {
	/** Base units: the balance that the next one is compared with. */
	readonly balance: bigint;
	/** The side of the threshold, with hysteresis. */
	readonly side: Side;
}

/** A reported change of a balance. Amounts are base units. */
export interface BalanceEvent {
	/** `undefined` if no balance was known before. */
	readonly previous: bigint | undefined;
	readonly current: bigint;
	/** The side that the balance is on now. */
	readonly crossed: Side;
}

/** The result of one answer. */
export interface BalanceStep {
	readonly state: BalanceState;
	readonly event: BalanceEvent | undefined;
}

/** When a change of balance is reported. */
export interface ChangeRules {
	/** Smallest change that counts, in base units; smaller ones add up. */
	readonly minimumChange: bigint;
	/** Whether the first answer is reported. */
	readonly emitExisting: boolean;
}

/** When the crossing of a threshold is reported. Amounts are base units. */
export interface ThresholdRules {
	readonly crossing: Crossing;
	/** A balance of at least this amount is above. */
	readonly threshold: bigint;
	/** How far a balance has to move back past the threshold before it can cross it again. */
	readonly hysteresis: bigint;
	/** Whether the first answer is reported if it is on the awaited side. */
	readonly emitExisting: boolean;
}

/** Both events share one state; without a threshold, the side has no meaning. */
const NO_SIDE: Side = 'above';

const absolute = (value: bigint): bigint => (value < 0n ? -value : value);

/**
 * Processes one balance. It is compared with the last reported one, so that small changes add up.
 *
 * @param state `undefined` for a wallet that is observed for the first time
 * @param current balance in base units
 */
export function advanceChange(
	state: BalanceState | undefined,
	current: bigint,
	{ minimumChange, emitExisting }: ChangeRules,
): BalanceStep {
	const previous = state?.balance;
	const difference = previous === undefined ? 0n : absolute(current - previous);
	const isReported =
		previous === undefined ? emitExisting : difference > 0n && difference >= minimumChange;
	if (state !== undefined && !isReported) return { state, event: undefined };
	const next = { balance: current, side: NO_SIDE };
	return { state: next, event: isReported ? { previous, current, crossed: NO_SIDE } : undefined };
}

/** The side of a balance, given its previous side: between the two bounds it does not change. */
export function sideOf(before: Side | undefined, balance: bigint, rules: ThresholdRules): Side {
	const { crossing, threshold, hysteresis } = rules;
	if (before === undefined) return balance >= threshold ? 'above' : 'below';
	// The awaited crossing is at the threshold itself; the way back takes the hysteresis as well.
	const lower = crossing === 'below' ? threshold : threshold - hysteresis;
	const upper = crossing === 'above' ? threshold : threshold + hysteresis;
	if (before === 'above') return balance < lower ? 'below' : 'above';
	return balance >= upper ? 'above' : 'below';
}

/**
 * Processes one balance, and reports when it has crossed the threshold.
 *
 * @param state `undefined` for a wallet that is observed for the first time
 * @param current balance in base units
 */
export function advanceThreshold(
	state: BalanceState | undefined,
	current: bigint,
	rules: ThresholdRules,
): BalanceStep {
	const side = sideOf(state?.side, current, rules);
	const isCrossed = state === undefined ? rules.emitExisting : side !== state.side;
	const isReported = isCrossed && (rules.crossing === 'both' || rules.crossing === side);
	return {
		state: { balance: current, side },
		event: isReported ? { previous: state?.balance, current, crossed: side } : undefined,
	};
}
