import type { ParamType } from 'ethers';

import { refuse } from '../../values/invalid-input';
import { parseJson } from '../../values/json';
import { isObject } from '../../values/objects';
import { quote } from '../../values/quote';
import { memberKeys, typeList } from '../function';

/**
 * Parses JSON text, so that a field or a list of strings can hold arrays and tuples; other values are returned unchanged.
 *
 * @param path where the value is, for errors
 * @throws InvalidInputError when text is not JSON.
 * @example structureOf('["1", "2"]', 'args') // ['1', '2']
 */
export function structureOf(value: unknown, path: string): unknown {
	return typeof value === 'string' ? parseJson(value.trim(), path) : value;
}

function hintFor(members: readonly ParamType[]): string {
	if (members.length === 0) return 'Give an empty list';
	const keys = memberKeys(members).map((key, index) => `${key} (${members[index]?.format()})`);
	return `Give ${members.length} in this order as a list, or an object with: ${keys.join(', ')}`;
}

/**
 * The values of a list of members (the parameters of a function, the members of a tuple) in order, from a list or from
 * an object by key (see `memberKeys`).
 *
 * @param path where the list is, for errors
 * @throws InvalidInputError when one is missing, unknown or too many.
 * @example
 * const { inputs } = parseSignature('pay(address to, uint256 amount)');
 * membersOf({ amount: '7', to: 'DISCORD-1' }, inputs, 'args') // ['DISCORD-1', '7']
 */
export function membersOf(value: unknown, members: readonly ParamType[], path: string): unknown[] {
	const wrong = (problem: string): never => refuse(path, value, problem, hintFor(members));
	if (Array.isArray(value)) {
		if (value.length === members.length) return value;
		const takes = `${typeList(members)} takes ${members.length}`;
		return wrong(`${takes}, but ${value.length} given: ${quote(value)}`);
	}
	if (!isObject(value)) return wrong(`${quote(value)} is neither a list nor an object`);
	const keys = memberKeys(members);
	const unknown = Object.keys(value).find((key) => !keys.includes(key));
	if (unknown !== undefined) return wrong(`There is no ${quote(unknown)} in ${typeList(members)}`);
	return keys.map((key) =>
		Object.hasOwn(value, key) ? value[key] : wrong(`${quote(key)} is missing`),
	);
}
