/** The saved state of a contract's value. */
export interface ValueState {
	/** What the function returned, as JSON; for a change, the value that the next one is compared with. */
	readonly answer: unknown;
	/** Whether it met the condition; without one it never does. */
	readonly isMet: boolean;
}

/** A value that was read, or one that was saved. */
export interface SeenValue extends ValueState {
	/** Equal for equal values. */
	readonly key: string;
}

/** When a value is reported. */
export interface ValueRules {
	/** Whether any change counts; else the moment from which on the condition is met. */
	readonly onChange: boolean;
	/** Whether the first answer is reported, if it meets the condition. */
	readonly emitExisting: boolean;
}

/** The result of one answer. */
export interface ValueStep {
	readonly state: ValueState;
	readonly isReported: boolean;
}

const stateOf = ({ answer, isMet }: SeenValue): ValueState => ({ answer, isMet });

/**
 * Processes one value.
 *
 * @param before `undefined` for a value that is observed for the first time
 */
export function advanceValue(
	before: SeenValue | undefined,
	current: SeenValue,
	{ onChange, emitExisting }: ValueRules,
): ValueStep {
	if (before === undefined) {
		return { state: stateOf(current), isReported: emitExisting && (onChange || current.isMet) };
	}
	const hasChanged = before.key !== current.key;
	return {
		// An equal value may be written in another way, which is nothing to save.
		state: stateOf(hasChanged ? current : { ...before, isMet: current.isMet }),
		isReported: onChange ? hasChanged : current.isMet && !before.isMet,
	};
}
