import type { ParamType } from 'ethers';
import { id } from 'ethers';

import { looksLikeType } from './type-names';

/** The state mutabilities of Solidity and the JSON ABI. */
export const MUTABILITIES = ['pure', 'view', 'nonpayable', 'payable'] as const;
export type StateMutability = (typeof MUTABILITIES)[number];

/** The use of a function: its value is read, or a transaction that calls it is submitted. */
export type ContractOperation = 'read' | 'write';

/** A function of a contract. */
export interface ContractFunction {
	readonly name: string;
	readonly inputs: readonly ParamType[];
	/** The declared return values; empty if there are none. */
	readonly outputs: readonly ParamType[];
	/** `undefined` if the source does not declare it, as in a bare `mint(address,uint256)`. */
	readonly stateMutability: StateMutability | undefined;
	/** Its name and full types, which distinguish overloads: `balanceOf(address)`. */
	readonly key: string;
	/** The name of each argument in labels and errors: its own, or its position if it has none. */
	readonly labels: readonly string[];
}

/**
 * The canonical types of parameters, in parentheses.
 *
 * @example typeList(parseSignature('f(address to, tuple(uint id, bool)[])').inputs) // '(address,(uint256,bool)[])'
 */
export function typeList(params: readonly ParamType[]): string {
	return `(${params.map((param) => param.format('sighash')).join(',')})`;
}

/**
 * The 4-byte selector of a function, `0x` and 8 hexadecimal digits.
 *
 * @example selector(parseSignature('transfer(address,uint256)')) // '0xa9059cbb'
 */
export function selector(fn: ContractFunction): string {
	return id(fn.key).slice(0, 10);
}

/** Whether a function is known not to change the chain. @example isReadOnly({ stateMutability: 'pure' }) // true */
export function isReadOnly(fn: Pick<ContractFunction, 'stateMutability'>): boolean {
	return fn.stateMutability === 'view' || fn.stateMutability === 'pure';
}

/**
 * The key of each member of a parameter list, a return list or a tuple: its name, or its index if it has no unique name.
 * Arguments by name and decoded answers use the same keys.
 *
 * @example memberKeys(parseSignature('f(uint256 a, bool)').inputs) // ['a', '1']
 */
export function memberKeys(members: readonly ParamType[]): string[] {
	const names = members.map(({ name }) => name);
	const last = new Map(names.map((name, index) => [name, index]));
	const repeated = new Set(names.filter((name, index) => last.get(name) !== index));
	return names.map((name, index) => (name === '' || repeated.has(name) ? String(index) : name));
}

/**
 * Makes a function from its declaration.
 *
 * @example contractFunction({ name: 'pause', inputs: [], outputs: [], stateMutability: undefined }).key // 'pause()'
 */
export function contractFunction(
	declared: Omit<ContractFunction, 'key' | 'labels'>,
): ContractFunction {
	const { name, inputs } = declared;
	const labels = memberKeys(inputs).map((key, index) =>
		key === String(index) ? `argument ${index + 1}` : key,
	);
	return { ...declared, key: `${name}${typeList(inputs)}`, labels };
}

/**
 * Whether any member has a unique name, so that the members form an object rather than an array.
 *
 * @example hasNames(parseSignature('f(uint256, bool)').inputs) // false
 */
export function hasNames(members: readonly ParamType[]): boolean {
	return memberKeys(members).some((key, index) => key !== String(index));
}

/**
 * Words that the ABI parsers of services reserve. A return value with such a name is sent unnamed, because otherwise the
 * service would refuse the whole signature.
 */
const PARSER_KEYWORDS = new Set(
	'constructor error event fallback function receive struct calldata memory storage payable indexed tuple returns constant external internal private public pure view override'.split(
		' ',
	),
);

function withName(param: ParamType): string {
	const { name } = param;
	const isSendable = name !== '' && !PARSER_KEYWORDS.has(name) && !looksLikeType(name);
	return isSendable ? `${namedType(param)} ${name}` : namedType(param);
}

/**
 * A type with the names of its tuple members, as far as parsers accept them.
 *
 * @example namedType(ParamType.from('tuple(address to, uint96 amount)[]')) // '(address to, uint96 amount)[]'
 */
export function namedType(param: ParamType): string {
	if (param.isArray()) {
		const length = param.arrayLength < 0 ? '' : String(param.arrayLength);
		return `${namedType(param.arrayChildren)}[${length}]`;
	}
	if (param.isTuple()) return `(${param.components.map(withName).join(', ')})`;
	return param.type;
}

/**
 * The abbreviated interface of one function, as the `abi` field of the request takes it (interface, sections 4.5 and 4.6):
 * canonical argument types, `view` for a read, `payable` for a write if the source declares it, names of return values kept.
 *
 * @example
 * const fn = parseSignature('getPoint(uint id) view returns (int x, int y)');
 * abbreviatedSignature(fn, 'read') // 'getPoint(uint256) public view returns (int256 x, int256 y)'
 */
export function abbreviatedSignature(fn: ContractFunction, operation: ContractOperation): string {
	const isPayable = operation === 'write' && fn.stateMutability === 'payable';
	return [
		`${fn.key} public`,
		...(operation === 'read' ? ['view'] : []),
		...(isPayable ? ['payable'] : []),
		...(fn.outputs.length > 0 ? [`returns (${fn.outputs.map(withName).join(', ')})`] : []),
	].join(' ');
}
