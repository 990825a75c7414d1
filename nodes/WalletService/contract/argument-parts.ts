import type { ParamType } from 'ethers';

import type { Field } from '../values/invalid-input';
import { refuse } from '../values/invalid-input';
import { parseUnambiguousJson } from '../values/json';
import { isObject } from '../values/objects';
import { quote } from '../values/quote';
import { memberKeys, typeList } from './function';

/** Parses JSON text, so that a field or a list of strings can hold arrays and tuples; returns other values unchanged. */
function structureOf(value: unknown, path: Field): unknown {
	return typeof value === 'string' ? parseUnambiguousJson(value.trim(), path) : value;
}

function hintFor(members: readonly ParamType[]): string {
	if (members.length === 0) return 'Enter an empty list';
	const keys = memberKeys(members).map((key, index) => `${key} (${members[index]?.format()})`);
	return `Enter a list of ${members.length} in this order, or an object with: ${keys.join(', ')}`;
}

/**
 * Returns the values of members (the parameters of a function, the members of a tuple) in order, from a list, from an
 * object by key (see `memberKeys`), or from either as JSON text.
 *
 * @param path the place of the list, for errors
 * @throws InvalidInputError if the text is not JSON, or a member is missing, unknown or superfluous.
 * @example
 * const { inputs } = parseSignature('pay(address to, uint256 amount)');
 * membersOf({ amount: '7', to: 'DISCORD-1' }, inputs, 'args') // ['DISCORD-1', '7']
 */
export function membersOf(value: unknown, members: readonly ParamType[], path: Field): unknown[] {
	const given = structureOf(value, path);
	const wrong = (problem: string): never => refuse(path, problem, hintFor(members));
	if (Array.isArray(given)) {
		if (given.length === members.length) return given;
		const count = `${members.length} ${members.length === 1 ? 'value' : 'values'}`;
		return wrong(`${typeList(members)} takes ${count}, but got ${given.length}: ${quote(given)}`);
	}
	if (!isObject(given)) return wrong(`${quote(given)} is neither a list nor an object`);
	const keys = memberKeys(members);
	const unknown = Object.keys(given).find((key) => !keys.includes(key));
	if (unknown !== undefined)
		return wrong(`Unknown entry ${quote(unknown)} for ${typeList(members)}`);
	return keys.map((key) =>
		Object.hasOwn(given, key) ? given[key] : wrong(`${quote(key)} is missing`),
	);
}

function elements(value: unknown, length: number, path: Field): unknown[] {
	const list = structureOf(value, path);
	if (!Array.isArray(list)) {
		return refuse(path, `${quote(value)} is not a list`, 'Enter a JSON list: ["1", "2"]');
	}
	if (length < 0 || list.length === length) return list;
	const message = `The list has ${list.length} elements instead of ${length}`;
	return refuse(path, message, `Enter exactly ${length} elements`);
}

/** A part of a list or a tuple. */
export interface Part {
	readonly value: unknown;
	readonly param: ParamType;
	/** Its step from the whole, for errors: `[2]` or `.amount`. */
	readonly step: string;
}

/**
 * Splits an argument, in any form in which it can be entered, into the elements of its list or the members of its tuple.
 *
 * @param place the place of the argument, for errors
 * @throws InvalidInputError if it has another form than its type.
 * @example Array.from(partsOf('[7, 8]', ParamType.from('uint8[]'), 'args'), ({ value, step }) => [value, step]) // [[7, '[0]'], [8, '[1]']]
 */
export function* partsOf(value: unknown, param: ParamType, place: Field): Generator<Part> {
	if (param.isArray()) {
		// A list from an expression can have holes; `forEach` would skip them.
		for (const [index, element] of elements(value, param.arrayLength, place).entries())
			yield { value: element, param: param.arrayChildren, step: `[${index}]` };
	}
	if (!param.isTuple()) return;
	const keys = memberKeys(param.components);
	const values = membersOf(value, param.components, place);
	for (const [index, member] of param.components.entries()) {
		const step = member.name === '' ? `[${index}]` : `.${keys[index]}`;
		yield { value: values[index], param: member, step };
	}
}
