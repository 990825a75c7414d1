/** With what the name of a field of the spending policy begins. */
export const POLICY_FIELD = 'Credential: ';

/** What was wrong with an input, and what would be right. */
export interface InvalidInputDetails {
	/** What was wrong, in one sentence. A quoted value is truncated (see `quote`). */
	readonly message: string;
	/** What would be right: what to change, and to what. */
	readonly hint: string;
	/** The node parameter, or the path inside an argument (`recipients[2].amount`), that is wrong. */
	readonly parameter?: string;
	/** The refused value, as it came. */
	readonly value?: unknown;
	/** What happened, for programs; `invalid-input` unless it is something else than the user's input. */
	readonly code?: InvalidInputCode;
}

export type InvalidInputCode =
	| 'invalid-input'
	| 'policy-refused'
	| 'policy-unreadable'
	| 'mixed-up-call';

/**
 * An input that is refused before anything is sent. The layer that knows the item turns it into an error of n8n.
 *
 * @example throw new InvalidInputError({ parameter: 'value', message: 'The amount is negative', hint: 'Give 0 or more' });
 */
export class InvalidInputError extends Error {
	override readonly name = 'InvalidInputError';

	readonly hint: string;

	readonly parameter: string | undefined;

	readonly value: unknown;

	readonly code: InvalidInputCode;

	constructor(details: InvalidInputDetails) {
		super(details.message);
		this.hint = details.hint;
		this.parameter = details.parameter;
		this.value = details.value;
		const isPolicy = details.parameter?.startsWith(POLICY_FIELD) === true;
		this.code = details.code ?? (isPolicy ? 'policy-unreadable' : 'invalid-input');
	}
}
