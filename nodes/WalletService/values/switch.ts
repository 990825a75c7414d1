import { InvalidInputError } from './invalid-input';
import { quote } from './quote';

/**
 * Whether a switch is on. An expression may return the strings `true` and `false`, as the query of a webhook has them;
 * nothing else is guessed, because a misread Preview would send money.
 *
 * @throws InvalidInputError for anything but true, false, and these two strings.
 * @example parseSwitch('true', 'options.preview') // true
 */
export function parseSwitch(value: unknown, parameter: string): boolean {
	if (value === true || value === 'true') return true;
	if (value === false || value === 'false') return false;
	throw new InvalidInputError({
		parameter,
		value,
		message: `${quote(value)} is neither true nor false`,
		hint: 'Switch it on or off, or give true or false by the expression',
	});
}
