import type { JsonFragmentType } from 'ethers';
import { ParamType } from 'ethers';

import { InvalidInputError } from '../../values/invalid-input';
import { isObject } from '../../values/objects';
import { quote } from '../../values/quote';
import type { ContractFunction, StateMutability } from '../function';
import { isStateMutability } from '../function';
import { MAX_NESTING } from './parameter-list';
import { elementaryType } from './type-names';

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
const TYPE = /^([A-Za-z]\w*)((?:\[(?:[1-9]\d{0,8})?\]){0,32})$/;

/** Refuses an entry because of `value`, which it contains. */
type Refuse = (value: unknown, problem: string, hint?: string) => never;

function paramsFrom(list: unknown, refuse: Refuse, nesting = 0): JsonFragmentType[] {
	if (nesting > MAX_NESTING)
		refuse(list, 'tuples are nested too deep', `Nest at most ${MAX_NESTING} tuples`);
	if (!Array.isArray(list)) return refuse(list, 'it is not a list of parameters');
	return list.map((entry: unknown) => {
		if (!isObject(entry) || typeof entry.type !== 'string')
			return refuse(entry, 'it is not a parameter with a type');
		const [, base = '', suffix = ''] = TYPE.exec(entry.type) ?? [];
		const name = typeof entry.name === 'string' && IDENTIFIER.test(entry.name) ? entry.name : '';
		if (base === 'tuple') {
			const components = paramsFrom(entry.components, refuse, nesting + 1);
			return { name, type: entry.type, components };
		}
		const verdict = elementaryType(base);
		if ('problem' in verdict) return refuse(entry.type, verdict.problem, verdict.hint);
		return { name, type: `${verdict.type}${suffix}` };
	});
}

function mutabilityOf(
	{ stateMutability, constant, payable }: Record<string, unknown>,
	refuse: Refuse,
): StateMutability | undefined {
	if (isStateMutability(stateMutability)) return stateMutability;
	if (stateMutability !== undefined) {
		const hint = 'Use pure, view, nonpayable or payable';
		return refuse(stateMutability, 'it is not a state mutability', hint);
	}
	// Compilers before Solidity 0.5 wrote two booleans.
	if (constant === true) return 'view';
	if (payable === true) return 'payable';
	return payable === false ? 'nonpayable' : undefined;
}

/**
 * A function entry of a JSON ABI (Solidity ABI specification, "JSON").
 *
 * @param parameter the node parameter that holds the ABI, for errors
 * @throws InvalidInputError that names what cannot be read in the entry.
 * @example
 * const fn = functionFromJson({ name: 'f', inputs: [{ type: 'uint' }] }, 'contractAbi');
 * functionKey(fn) // 'f(uint256)'
 */
export function functionFromJson(entry: unknown, parameter: string): ContractFunction {
	const refuse: Refuse = (value, problem, hint = 'Paste the ABI as the compiler wrote it') => {
		throw new InvalidInputError({ parameter, value, message: `${quote(value)}: ${problem}`, hint });
	};
	if (!isObject(entry)) return refuse(entry, 'it is not an entry of an ABI');
	const { type = 'function', name, inputs = [], outputs = [] } = entry;
	if (type !== 'function') return refuse(type, 'it is not a kind of ABI entry');
	if (typeof name !== 'string' || !IDENTIFIER.test(name))
		return refuse(name, 'it is not the name of a function');
	return {
		name,
		inputs: paramsFrom(inputs, refuse).map((input) => ParamType.from(input)),
		outputs: paramsFrom(outputs, refuse).map((output) => ParamType.from(output)),
		stateMutability: mutabilityOf(entry, refuse),
	};
}
