import type { ParamType } from 'ethers';

/** State mutability as Solidity and the JSON ABI name it. */
export const MUTABILITIES = ['pure', 'view', 'nonpayable', 'payable'] as const;
export type StateMutability = (typeof MUTABILITIES)[number];

/** What is done with a function: its value is read, or a transaction that calls it is submitted. */
export type ContractOperation = 'read' | 'write';

/** One function of a contract, however it was written down. */
export interface ContractFunction {
	readonly name: string;
	readonly inputs: readonly ParamType[];
	/** The declared returns; empty when none are declared. */
	readonly outputs: readonly ParamType[];
	/** `undefined` if the source does not declare it, as in a bare `mint(address,uint256)`. */
	readonly stateMutability: StateMutability | undefined;
}

/**
 * The types of parameters in parentheses, in canonical form.
 *
 * @example typeList(parseSignature('f(address to, tuple(uint id, bool)[])').inputs) // '(address,(uint256,bool)[])'
 */
export function typeList(params: readonly ParamType[]): string {
	return `(${params.map((param) => param.format('sighash')).join(',')})`;
}

/**
 * The name and full types of a function, which distinguish overloads.
 *
 * @example functionKey(parseSignature('balanceOf(address owner) view')) // 'balanceOf(address)'
 */
export function functionKey(fn: ContractFunction): string {
	return `${fn.name}${typeList(fn.inputs)}`;
}

/**
 * The key of each member of a parameter list, a return list or a tuple: its name, or its index if it has no unique name.
 * Arguments by name and decoded answers use the same keys.
 *
 * @example memberKeys(parseSignature('f(uint256 a, bool)').inputs) // ['a', '1']
 */
export function memberKeys(members: readonly ParamType[]): string[] {
	const names = members.map(({ name }) => name);
	return names.map((name, index) =>
		name !== '' && names.indexOf(name) === names.lastIndexOf(name) ? name : String(index),
	);
}

/**
 * Whether any member has a unique name, so that the members form an object rather than an array.
 *
 * @example hasNames(parseSignature('f(uint256, bool)').inputs) // false
 */
export function hasNames(members: readonly ParamType[]): boolean {
	return memberKeys(members).some((key, index) => key !== String(index));
}
