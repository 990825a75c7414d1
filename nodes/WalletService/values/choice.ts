import { InvalidInputError } from './invalid-input';
import { quote } from './quote';

/**
 * One of the values that a list of the form holds. A value that is not among them is not taken for the default: it may stand
 * for something stricter.
 *
 * @throws InvalidInputError for everything else.
 * @example parseChoice('above', ['above', 'below'], 'crossing') // 'above'
 */
export function parseChoice<Choice extends string>(
	value: unknown,
	choices: readonly Choice[],
	parameter: string,
): Choice {
	const found = choices.find((choice) => choice === value);
	if (found !== undefined) return found;
	throw new InvalidInputError({
		parameter,
		value,
		message: `${quote(value)} is none of the choices`,
		hint: `Choose one of ${choices.join(', ')}`,
	});
}
