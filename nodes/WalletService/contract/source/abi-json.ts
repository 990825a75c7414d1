import type { JsonFragmentType } from 'ethers';
import { ParamType } from 'ethers';

import { refuse } from '../../values/invalid-input';
import { isObject } from '../../values/objects';
import { quote } from '../../values/quote';
import type { ContractFunction, StateMutability } from '../function';
import { contractFunction, MUTABILITIES } from '../function';
import { MAX_NESTING } from './parameter-list';
import { IDENTIFIER } from './signature-reader';
import { elementaryType } from '../type-names';

const ABI_TYPE = /^([A-Za-z]\w*)(?:(?<=address) payable)?((?:\[(?:[1-9]\d{0,8})?\]){0,32})$/;

function refuseEntry(
	value: unknown,
	problem: string,
	hint = 'Paste the ABI as the compiler produced it',
): never {
	return refuse(undefined, `${quote(value)}: ${problem}`, hint);
}

function paramsFrom(list: unknown, nesting = 0): JsonFragmentType[] {
	if (nesting > MAX_NESTING)
		refuseEntry(list, 'tuples are nested too deeply', `Nest at most ${MAX_NESTING} tuples`);
	if (!Array.isArray(list)) return refuseEntry(list, 'this is not a list of parameters');
	return list.map((entry: unknown) => {
		if (!isObject(entry) || typeof entry.type !== 'string')
			return refuseEntry(entry, 'this is not a parameter with a type');
		const { type } = entry;
		const [, base = '', suffix = ''] = ABI_TYPE.exec(type) ?? [];
		const name = typeof entry.name === 'string' && IDENTIFIER.test(entry.name) ? entry.name : '';
		if (base === 'tuple')
			return { name, type, components: paramsFrom(entry.components, nesting + 1) };
		const elementary = elementaryType(base, (problem, hint) => refuseEntry(type, problem, hint));
		return { name, type: `${elementary}${suffix}` };
	});
}

/** Reads a word of an ABI in any case: TRON capitalizes what others write in lower case. @example inLowerCase('View') // 'view' */
export const inLowerCase = (word: unknown): unknown =>
	typeof word === 'string' ? word.toLowerCase() : word;

function mutabilityOf(entry: Record<string, unknown>): StateMutability | undefined {
	const { stateMutability, constant, payable } = entry;
	// Some tools write an empty text or null if none is declared.
	if (stateMutability !== undefined && stateMutability !== null && stateMutability !== '') {
		const known = MUTABILITIES.find((one) => one === inLowerCase(stateMutability));
		if (known !== undefined) return known;
		const hint = 'Use pure, view, nonpayable or payable';
		return refuseEntry(stateMutability, 'this is not a state mutability', hint);
	}
	// Compilers before Solidity 0.5 wrote two booleans.
	if (constant === true) return 'view';
	if (payable === true) return 'payable';
	return payable === false ? 'nonpayable' : undefined;
}

/**
 * Reads a function entry of a JSON ABI (Solidity ABI specification, "JSON").
 *
 * @throws InvalidInputError that names the unreadable part.
 * @example functionFromJson({ name: 'f', inputs: [{ type: 'uint' }] }).key // 'f(uint256)'
 */
export function functionFromJson(entry: unknown): ContractFunction {
	if (!isObject(entry)) return refuseEntry(entry, 'this is not an ABI entry');
	const { name } = entry;
	const type = entry.type ?? 'function';
	if (inLowerCase(type) !== 'function') return refuseEntry(type, 'this is not a type of ABI entry');
	if (typeof name !== 'string' || !IDENTIFIER.test(name))
		return refuseEntry(name, 'this is not the name of a function');
	return contractFunction({
		name,
		inputs: paramsFrom(entry.inputs ?? []).map((input) => ParamType.from(input)),
		outputs: paramsFrom(entry.outputs ?? []).map((output) => ParamType.from(output)),
		stateMutability: mutabilityOf(entry),
	});
}
