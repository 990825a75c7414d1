import type { Field } from './invalid-input';
import { refuse } from './invalid-input';
import { quote } from './quote';

/**
 * Reads a choice from a list in the form. An unknown value is not replaced by the default: a stricter choice may have
 * been meant.
 *
 * @throws InvalidInputError for any other value.
 * @example parseChoice('above', ['above', 'below'], 'crossing') // 'above'
 */
export function parseChoice<Choice extends string>(
	value: unknown,
	choices: readonly Choice[],
	parameter: Field,
): Choice {
	const found = choices.find((choice) => choice === value);
	if (found !== undefined) return found;
	const hint = `Choose one of ${choices.join(', ')}`;
	return refuse(parameter, `${quote(value)} is not one of the choices`, hint);
}

/**
 * Reads a switch. An expression may return the strings `true` and `false`, for example from the query of a webhook.
 * Nothing else is accepted, because a misread `preview` would send money.
 *
 * @throws InvalidInputError for anything but true, false, and these two strings.
 * @example parseSwitch('true', 'options.preview') // true
 */
export function parseSwitch(value: unknown, parameter: Field): boolean {
	if (value === true || value === 'true') return true;
	if (value === false || value === 'false') return false;
	const hint = 'Switch it on or off, or return true or false from the expression';
	return refuse(parameter, `${quote(value)} is neither true nor false`, hint);
}

/**
 * Reads a count: a whole number of 1 or more, also as a string of digits.
 *
 * @throws InvalidInputError for anything else, including an absent value, NaN, 0 and fractions.
 * @example parseCount('10', 'limit') // 10
 */
export function parseCount(value: unknown, parameter: Field): number {
	const isDigits = typeof value === 'string' && /^\d+$/.test(value.trim());
	const count = isDigits ? Number(value) : value;
	if (typeof count === 'number' && Number.isInteger(count) && count >= 1) return count;
	// JSON cannot represent NaN and Infinity.
	const shown = typeof value === 'number' ? String(value) : quote(value);
	const hint = 'Enter a whole number of 1 or more';
	return refuse(parameter, `${shown} is not a whole number of 1 or more`, hint);
}
