import type { ParamType } from 'ethers';

/** State mutability as Solidity and the JSON ABI name it. */
export type StateMutability = 'pure' | 'view' | 'nonpayable' | 'payable';

/** Whether a value is the name of a state mutability. */
export function isStateMutability(value: unknown): value is StateMutability {
	return value === 'pure' || value === 'view' || value === 'nonpayable' || value === 'payable';
}

/** One function of a contract, however it was written down. */
export interface ContractFunction {
	readonly name: string;
	readonly inputs: readonly ParamType[];
	/** The declared returns; empty when none are declared. */
	readonly outputs: readonly ParamType[];
	/** `undefined` when the source says nothing, as a bare `mint(address,uint256)` does. */
	readonly stateMutability: StateMutability | undefined;
}

/** The types of parameters in parentheses, canonical: `(address,(uint256,bool)[])`. */
export function typeList(params: readonly ParamType[]): string {
	return `(${params.map((param) => param.format('sighash')).join(',')})`;
}

/**
 * The full types of a function, which tell overloads apart.
 *
 * @example functionKey(parseSignature('balanceOf(address owner) view')) // 'balanceOf(address)'
 */
export function functionKey(fn: ContractFunction): string {
	return `${fn.name}${typeList(fn.inputs)}`;
}

/**
 * The key of each member of a parameter list, a return list or a tuple: its name, or its index when it has no name of
 * its own. The same keys serve arguments by name and decoded answers.
 */
export function memberKeys(members: readonly ParamType[]): string[] {
	const names = members.map(({ name }) => name);
	return names.map((name, index) =>
		name !== '' && names.indexOf(name) === names.lastIndexOf(name) ? name : String(index),
	);
}

/** Whether any member has a name of its own, so that the members make an object rather than an array. */
export function hasNames(members: readonly ParamType[]): boolean {
	return memberKeys(members).some((key, index) => key !== String(index));
}
