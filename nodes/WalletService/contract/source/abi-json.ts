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

/** Refuses a JSON ABI; `place` is the path to the fault: `abi[3].inputs[0].type`. */
export type RefuseAbi = (place: string, value: unknown, problem: string, hint: string) => never;

/**
 * Returns the function that refuses the ABI in `parameter`.
 *
 * @example abiRefusal('abi')('abi[0].name', 7, 'it is not a name', 'Give text') // throws InvalidInputError
 */
export function abiRefusal(parameter: string): RefuseAbi {
	return (place, value, problem, hint) => {
		throw new InvalidInputError({
			parameter,
			value,
			message: `At ${place}, ${quote(value)}: ${problem}`,
			hint,
		});
	};
}

function paramFrom(
	entry: unknown,
	place: string,
	refuse: RefuseAbi,
	nesting: number,
): JsonFragmentType {
	if (!isObject(entry) || typeof entry.type !== 'string') {
		return refuse(
			place,
			entry,
			'it is not a parameter with a type',
			'Paste the ABI as the compiler wrote it',
		);
	}
	const [, base = '', suffix = ''] = TYPE.exec(entry.type) ?? [];
	const name = typeof entry.name === 'string' && IDENTIFIER.test(entry.name) ? entry.name : '';
	if (base === 'tuple') {
		const components = paramsFrom(entry.components, `${place}.components`, refuse, nesting + 1);
		return { name, type: entry.type, components };
	}
	const verdict = elementaryType(base);
	if ('problem' in verdict)
		return refuse(`${place}.type`, entry.type, verdict.problem, verdict.hint);
	return { name, type: `${verdict.type}${suffix}` };
}

function paramsFrom(
	list: unknown,
	place: string,
	refuse: RefuseAbi,
	nesting = 0,
): JsonFragmentType[] {
	if (nesting > MAX_NESTING)
		refuse(place, list, 'tuples are nested too deep', `Nest at most ${MAX_NESTING} tuples`);
	if (!Array.isArray(list))
		return refuse(
			place,
			list,
			'it is not a list of parameters',
			'Paste the ABI as the compiler wrote it',
		);
	return list.map((entry: unknown, index) =>
		paramFrom(entry, `${place}[${index}]`, refuse, nesting),
	);
}

function mutabilityOf(
	entry: Record<string, unknown>,
	place: string,
	refuse: RefuseAbi,
): StateMutability | undefined {
	const { stateMutability, constant, payable } = entry;
	if (isStateMutability(stateMutability)) return stateMutability;
	if (stateMutability !== undefined) {
		return refuse(
			`${place}.stateMutability`,
			stateMutability,
			'it is not a state mutability',
			'Use pure, view, nonpayable or payable',
		);
	}
	// Compilers before Solidity 0.5 wrote two booleans.
	if (constant === true) return 'view';
	if (payable === true) return 'payable';
	return payable === false ? 'nonpayable' : undefined;
}

/**
 * A function entry of a JSON ABI (Solidity ABI specification, "JSON").
 *
 * @param place where the entry is, for errors: `abi[3]`
 * @throws InvalidInputError by `refuse`, for the first member that cannot be read.
 * @example
 * const fn = functionFromJson({ name: 'f', inputs: [{ type: 'uint' }] }, 'abi[0]', abiRefusal('abi'));
 * functionKey(fn) // 'f(uint256)'
 */
export function functionFromJson(
	entry: Record<string, unknown>,
	place: string,
	refuse: RefuseAbi,
): ContractFunction {
	const { name, inputs = [], outputs = [] } = entry;
	if (typeof name !== 'string' || !IDENTIFIER.test(name)) {
		return refuse(
			`${place}.name`,
			name,
			'it is not the name of a function',
			'Paste the ABI as the compiler wrote it',
		);
	}
	const read = (list: unknown, member: string) =>
		paramsFrom(list, `${place}.${member}`, refuse).map((param) => ParamType.from(param));
	return {
		name,
		inputs: read(inputs, 'inputs'),
		outputs: read(outputs, 'outputs'),
		stateMutability: mutabilityOf(entry, place, refuse),
	};
}

/**
 * Name and types of a function entry as written, even if the entry is invalid.
 *
 * @returns `undefined` when it has no name
 * @example labelOfJson({ name: 'swap', inputs: [{ type: 'fixed128x18' }] }) // 'swap(fixed128x18)'
 */
export function labelOfJson({ name, inputs }: Record<string, unknown>): string | undefined {
	if (typeof name !== 'string' || name === '') return undefined;
	const types = Array.isArray(inputs) ? inputs.map(typeOfJson) : ['?'];
	return `${name}(${types.join(',')})`;
}

function typeOfJson(entry: unknown): string {
	return isObject(entry) && typeof entry.type === 'string' ? entry.type : '?';
}
