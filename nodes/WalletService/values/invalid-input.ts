import { inOneLine } from './quote';

/**
 * The place of an input: the name of a parameter, or the path to an entry inside it. Errors show the declared display names
 * (`request/failure/field-name.ts`), and any other name unchanged.
 */
export type Field = string | readonly string[];

/** A problem in one sentence, with its value truncated (see `quote`), and its remedy. */
export interface Problem {
	readonly message: string;
	readonly hint: string;
}

/** The problem with an input. */
export interface InvalidInputDetails extends Problem {
	/** The invalid parameter, or an argument (`recipients[2].amount`). */
	readonly parameter?: Field;
	/** Cause, for programs; by default `invalid-input`. */
	readonly code?: InvalidInputCode;
}

/** Codes of refused inputs. */
export const INVALID_INPUT_CODES = [
	'invalid-input',
	'policy-refused',
	'policy-unreadable',
	'mixed-up-call',
] as const;

export type InvalidInputCode = (typeof INVALID_INPUT_CODES)[number];

/**
 * Formats the message and the hint of a problem, each as a sentence.
 *
 * @example inSentences({ message: 'The amount is negative', hint: 'Enter 0 or more.' }) // 'The amount is negative. Enter 0 or more.'
 */
export function inSentences({ message, hint }: Problem): string {
	return `${message}. ${hint.replace(/\.$/, '')}.`;
}

/**
 * An input that is refused before anything is sent. `request/failure/node-error.ts` converts it to an n8n error.
 *
 * @example throw new InvalidInputError({ parameter: 'value', message: 'The amount is negative', hint: 'Enter 0 or more' });
 */
export class InvalidInputError extends Error {
	override readonly name = 'InvalidInputError';

	readonly hint: string;

	readonly parameter: Field | undefined;

	readonly code: InvalidInputCode;

	constructor(details: InvalidInputDetails) {
		super(inOneLine(details.message));
		this.hint = inOneLine(details.hint);
		this.parameter = details.parameter;
		this.code = details.code ?? 'invalid-input';
	}
}

/**
 * Refuses an input.
 *
 * @throws InvalidInputError always
 * @example if (count < 1) refuse('limit', `${quote(count)} is below 1`, 'Enter 1 or more');
 */
export function refuse(parameter: Field | undefined, message: string, hint: string): never {
	throw new InvalidInputError({ parameter, message, hint });
}
