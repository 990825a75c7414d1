import type { ParamType } from 'ethers';
import type { FieldType, ResourceMapperField } from 'n8n-workflow';

import { refuse } from '../values/invalid-input';
import { namedType } from './source/abbreviated-signature';
import { argumentLabels } from './arguments';
import type { ContractFunction } from './function';
import { memberKeys } from './function';
import { knownParameters } from './token-standards';

/** The input for a type. Integers are text, because a number field rounds beyond 2^53 and accepts no unit. */
function fieldType(param: ParamType): FieldType {
	if (param.isArray()) return 'array';
	if (param.isTuple()) {
		const keys = memberKeys(param.components);
		return param.components.every(({ name }, index) => name === keys[index]) ? 'object' : 'array';
	}
	return param.type === 'bool' ? 'boolean' : 'string';
}

/**
 * One field for each parameter of a function, as n8n's resource mapper shows them. The ID contains name and
 * type, so that when the function changes, a value is kept exactly if it still fits. The arguments of functions of the token
 * standards are labelled in words.
 *
 * @example argumentFieldsOf(parseSignature('transfer(address to, uint256 amount)'))[1]?.displayName // 'amount: 12.5 token, or base units'
 */
export function argumentFieldsOf(fn: ContractFunction): ResourceMapperField[] {
	const labels = argumentLabels(fn);
	const known = knownParameters(fn).map(
		({ name, label }, index) => `${fn.inputs[index]?.name || name}: ${label}`,
	);
	return fn.inputs.map((input, index) => ({
		id: `${labels[index]} (${input.format('sighash')})`,
		displayName: known[index] ?? `${labels[index]} (${namedType(input)})`,
		type: fieldType(input),
		// Not by n8n, which marks a required field red before anybody had a chance to fill it in; `argumentsFromFields` refuses an empty one.
		required: false,
		display: true,
		defaultMatch: false,
		canBeUsedToMatch: false,
	}));
}

/**
 * The arguments in order, from the values of the fields that `argumentFieldsOf` describes, for `encodeArguments`. Values of
 * other fields, left over from another function, are ignored; an untouched toggle is false, as displayed.
 *
 * @param values the `value` of the whole resource mapper parameter. For `<parameter>.value`, n8n converts values to the
 * field types first, so that a number that has lost digits would arrive as text and could not be refused.
 * @throws InvalidInputError that names the first field without a value.
 * @example argumentsFromFields(parseSignature('burn(uint256 amount)'), { 'amount (uint256)': '7' }) // ['7']
 */
export function argumentsFromFields(
	fn: ContractFunction,
	values: Readonly<Record<string, unknown>>,
): unknown[] {
	return argumentFieldsOf(fn).map(({ id, type }) => {
		const value = Object.hasOwn(values, id) ? values[id] : undefined;
		if (value !== undefined && value !== null) return value;
		if (type === 'boolean') return false;
		return refuse(id, value, 'The argument is missing', 'Fill in this field');
	});
}
