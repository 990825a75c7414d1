/** Sides of a threshold, and which way a balance has to cross it. */
export type Side = 'above' | 'below';
export type Crossing = Side | 'both';

/** What is known of one wallet's balance. */
export interface BalanceState {
	/** Base units: the balance that the next one is compared with. */
	readonly balance: bigint;
	/** On which side of the threshold the balance counts as being. */
	readonly side: Side;
}

/** What there is to tell about a balance. Amounts are base units. */
export interface BalanceEvent {
	/** `undefined` when nothing was known before. */
	readonly previous: bigint | undefined;
	readonly current: bigint;
	/** The side that the balance came to. */
	readonly crossed: Side;
}

/** What one answer comes to. */
export interface BalanceStep {
	readonly state: BalanceState;
	readonly event: BalanceEvent | undefined;
}

/** When a change of balance is told. */
export interface ChangeRules {
	/** Smallest change that counts, in base units; smaller ones add up. */
	readonly minimumChange: bigint;
	/** Whether the first answer is told. */
	readonly emitExisting: boolean;
}

/** When the crossing of a threshold is told. Amounts are base units. */
export interface ThresholdRules {
	readonly crossing: Crossing;
	/** From it upwards a balance is above. */
	readonly threshold: bigint;
	/** How far a balance has to come back behind the threshold before it can cross it again. */
	readonly hysteresis: bigint;
	/** Whether the first answer is told when it lies on the side that is waited for. */
	readonly emitExisting: boolean;
}

/** There is one state for both events; where no threshold is watched, the side says nothing. */
const NO_SIDE: Side = 'above';

const absolute = (value: bigint): bigint => (value < 0n ? -value : value);

/**
 * Takes in one balance. It is compared with the last one that was told, so that many small changes become a change.
 *
 * @param state `undefined` for a wallet that is looked at for the first time
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

/** The side a balance is on, given the one it was on: between the two bounds it stays where it was. */
export function sideOf(before: Side | undefined, balance: bigint, rules: ThresholdRules): Side {
	const { crossing, threshold, hysteresis } = rules;
	if (before === undefined) return balance >= threshold ? 'above' : 'below';
	// The crossing that is waited for happens at the threshold itself; the way back takes the hysteresis as well.
	const lower = crossing === 'below' ? threshold : threshold - hysteresis;
	const upper = crossing === 'above' ? threshold : threshold + hysteresis;
	if (before === 'above') return balance < lower ? 'below' : 'above';
	return balance >= upper ? 'above' : 'below';
}

/**
 * Takes in one balance and tells when it crossed the threshold.
 *
 * @param state `undefined` for a wallet that is looked at for the first time
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
