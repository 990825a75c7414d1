import { InvalidInput } from './invalid-input';
import { quote } from './quote';

/**
 * A switch of the form: `true`, `false`, or one of these words as text, which is what a webhook or a model hands over.
 * Everything else is refused. A value that is merely truthy or falsy would be a guess, and some switches decide whether
 * money moves.
 *
 * @throws InvalidInput that names `parameter`, also for nothing at all: an expression that gives nothing is a mistake.
 * @example parseSwitch('true', 'Options: Preview') // true
 */
export function parseSwitch(value: unknown, parameter: string): boolean {
	if (value === true || value === 'true') return true;
	if (value === false || value === 'false') return false;
	throw new InvalidInput({
		parameter,
		value,
		message: `${quote(value)} is neither true nor false`,
		hint: 'Give true or false',
	});
}
