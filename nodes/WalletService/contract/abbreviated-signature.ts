import type { ParamType } from 'ethers';

import type { ContractFunction } from './function';
import { typeList } from './function';
import { looksLikeType } from './type-names';

/**
 * Words that the human-readable ABI parsers of services keep for themselves: a return of such a name is sent without
 * its name, because the whole signature would be refused otherwise.
 */
const PARSER_KEYWORDS = new Set(
	'constructor error event fallback function receive struct calldata memory storage payable indexed tuple returns constant external internal private public pure view override'.split(
		' ',
	),
);

function named(param: ParamType): string {
	const { name } = param;
	const isSendable = name !== '' && !PARSER_KEYWORDS.has(name) && !looksLikeType(name);
	return isSendable ? `${namedType(param)} ${name}` : namedType(param);
}

/** A type with the names of tuple members that a parser takes: `(address to, uint96 amount)[]`. */
export function namedType(param: ParamType): string {
	if (param.isArray()) {
		const length = param.arrayLength < 0 ? '' : String(param.arrayLength);
		return `${namedType(param.arrayChildren)}[${length}]`;
	}
	if (param.isTuple()) return `(${param.components.map(named).join(', ')})`;
	return param.type;
}

/**
 * The abbreviated interface of one function, as the request's `abi` takes it (interface, sections 4.5 and 4.6):
 * canonical argument types, `view` for a read, `payable` for a write when the source says so, names of returns kept.
 *
 * @example
 * abbreviatedSignature(fn, 'read') // 'getPoint(uint256) public view returns (int256 x, int256 y)'
 * abbreviatedSignature(fn, 'write') // 'deposit(address) public payable returns (uint256 shares)'
 */
export function abbreviatedSignature(fn: ContractFunction, operation: 'read' | 'write'): string {
	const isPayable = operation === 'write' && fn.stateMutability === 'payable';
	return [
		`${fn.name}${typeList(fn.inputs)} public`,
		...(operation === 'read' ? ['view'] : []),
		...(isPayable ? ['payable'] : []),
		...(fn.outputs.length > 0 ? [`returns (${fn.outputs.map(named).join(', ')})`] : []),
	].join(' ');
}
