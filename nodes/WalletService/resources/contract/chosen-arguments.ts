import { argumentsFromFields } from '../../contract/fields';
import type { ContractFunction } from '../../contract/function';
import type { ReadParameter } from '../../request/run/read-parameter';
import { InvalidInputError } from '../../values/invalid-input';
import { isObject } from '../../values/objects';
import { quote } from '../../values/quote';

/** The arguments of a call as the user gave them, and the parameter that holds them, for errors. */
export interface ChosenArguments {
	readonly args: unknown;
	readonly parameter: string;
}

/**
 * The arguments that the parameters give for a function: by field, or as JSON.
 *
 * @throws InvalidInputError that names the field that has no value.
 */
export function chosenArguments(
	contractFunction: ContractFunction,
	read: ReadParameter,
): ChosenArguments {
	const mode = read('argumentsMode', 'fields');
	switch (mode) {
		case 'fields': {
			const parameter = 'arguments';
			const values = read(`${parameter}.value`, {});
			const args = argumentsFromFields(contractFunction, isObject(values) ? values : {});
			return { args, parameter };
		}
		case 'json': {
			const parameter = 'args';
			return { args: read(parameter, []), parameter };
		}
		default:
			throw new InvalidInputError({
				parameter: 'argumentsMode',
				value: mode,
				message: `${quote(mode)} is not a way to give arguments`,
				hint: 'Choose fields or json',
			});
	}
}
