import type { ParamType } from 'ethers';
import type { FieldType, ResourceMapperField } from 'n8n-workflow';

import type { Field } from '../values/invalid-input';
import { refuse } from '../values/invalid-input';
import { allowancesOf, refuseUnlimited } from './allowances';
import { membersOf } from './argument-parts';
import type { Resolve } from './argument-value';
import { checkArguments } from './argument-value';
import type { ContractFunction } from './function';
import { memberKeys, namedType } from './function';
import { recognize, ROLES } from './token-standards';
import { ValueCount } from './value-count';

/**
 * The IDs of the fields that {@link argumentFieldsOf} describes. After a change of function, a value is kept if its name
 * and type are the same.
 *
 * @example fieldIds(parseSignature('transfer(address to, uint256)')) // ['to (address)', 'argument 2 (uint256)']
 */
export const fieldIds = ({ inputs, labels }: ContractFunction): string[] =>
	inputs.map((param, index) => `${labels[index]} (${param.format('sighash')})`);

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
 * Returns one field of n8n's resource mapper for each parameter of a function. Arguments of token standard functions have
 * descriptive labels.
 *
 * @example argumentFieldsOf(parseSignature('transfer(address to, uint256 amount)'))[1]?.displayName // 'amount, e.g. 12.5 token'
 */
export function argumentFieldsOf(fn: ContractFunction): ResourceMapperField[] {
	const ids = fieldIds(fn);
	const known = recognize(fn);
	const titles = known?.meant.map((role, index) => {
		const name = fn.inputs[index]?.name || known.fn.inputs[index]?.name;
		return `${name}${role === 'amount' ? ',' : ':'} ${ROLES[role]}`;
	});
	return fn.inputs.map((input, index) => ({
		id: ids[index] ?? '',
		displayName: titles?.[index] ?? `${fn.labels[index]} (${namedType(input)})`,
		type: fieldType(input),
		// n8n would mark an empty required field red at once, but not enforce it; `argumentsFromFields` refuses it.
		required: false,
		display: true,
		defaultMatch: false,
		canBeUsedToMatch: false,
	}));
}

/**
 * Reads the arguments, in order, from the fields that `argumentFieldsOf` describes, for `encodeArguments`. Values of
 * other fields, left over from another function, are ignored; an untouched toggle is false, as displayed. A toggle that
 * the form did not show counts as missing, because nobody saw that it was false.
 *
 * @param values the `value` of the whole resource mapper parameter. For `<parameter>.value`, n8n converts values to the
 * field types first, so that a number that has lost digits would arrive as text and could not be refused.
 * @param isShown whether the form shows a field; used for a toggle without a stored value
 * @throws InvalidInputError that names the first field without a value.
 * @example argumentsFromFields(parseSignature('burn(uint256 amount)'), { 'amount (uint256)': '7' }) // ['7']
 */
export function argumentsFromFields(
	fn: ContractFunction,
	values: Readonly<Record<string, unknown>>,
	isShown: (id: string) => boolean = () => false,
): unknown[] {
	return fieldIds(fn).map((id, index) => {
		const value = Object.hasOwn(values, id) ? values[id] : undefined;
		if (value !== undefined && value !== null) return value;
		if (fn.inputs[index]?.type === 'bool' && (value === null || isShown(id))) return false;
		return refuse(id, 'The argument is missing', 'Fill in this field');
	});
}

/**
 * Checks the arguments of a call against their types and encodes each as the string that the `args` field of the request
 * takes (interface, sections 4.5 and 4.6): integers in decimal, `true` or `false`, `0x` hexadecimal, text unchanged,
 * arrays and tuples as JSON lists with integers as strings.
 *
 * An integer may carry a unit (`1.5 ether`, see `readWritten`) or be an amount in tokens of the called contract (`12.5
 * token`, `12.5 SUSD`). An approval may be `unlimited`; an equally large number is refused. Arrays and tuples may be JSON
 * text, a tuple with named members may be an object, and an address may be a user ID.
 *
 * @param args the arguments in order, or an object keyed by parameter name, or either as JSON text; absent if the function
 * takes none
 * @param parameter the node parameter that holds them, for errors about all of them
 * @param resolve looks up users and the called token where they occur
 * @param needsUnit whether a whole number without a unit is refused for a token amount
 * @param most maximum number of values
 * @throws InvalidInputError whose `parameter` is the exact place and type: `recipients[2].amount (uint96)`; whatever
 * `resolve` throws.
 * @example
 * const fn = parseSignature('pay(address to, uint96[] amounts)');
 * const wallet = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
 * const resolve = { user: async () => wallet, tokens: async () => 12500000n };
 * await encodeArguments(fn, { to: 'DISCORD-1', amounts: ['5', '20 gwei'] }, 'args', resolve) // ['0x…', '["5","20000000000"]']
 */
export async function encodeArguments(
	fn: ContractFunction,
	args: unknown,
	parameter: Field,
	resolve: Resolve,
	needsUnit = false,
	most = Infinity,
): Promise<string[]> {
	const isAbsent = args === undefined || args === null || args === '';
	const values = membersOf(isAbsent ? [] : args, fn.inputs, parameter);
	const known = recognize(fn);
	const allowances = allowancesOf(known);
	const plain = values.map((value, index) => {
		// IDs and quantities have no unit that could be missing behind white space.
		const isPlain = /^(tokenId|kind|quantity|number)$/.test(known?.meant[index] ?? '');
		return isPlain && typeof value === 'string' ? value.trim() : value;
	});
	const given = fn.inputs.map((param, index) => ({
		value: plain[index],
		param,
		place: fn.labels[index] ?? String(index),
		isTokenAmount: known?.meant[index] === 'amount',
		needsUnit,
		isAllowance: allowances.includes(index),
	}));
	const checked = await checkArguments(given, resolve, new ValueCount(most));
	await refuseUnlimited(fn, { values, checked }, resolve);
	// Integers are already strings.
	return checked.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
}
