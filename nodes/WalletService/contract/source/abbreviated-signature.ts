import type { ParamType } from 'ethers';

import type { ContractFunction, ContractOperation } from '../function';
import { typeList } from '../function';
import { looksLikeType } from './type-names';

/**
 * Words that the human-readable ABI parsers of services reserve: a return value with such a name is sent unnamed, because
 * otherwise the whole signature would be refused.
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
 * canonical argument types, `view` for a read, `payable` for a write if the source declares it, names of returns kept.
 *
 * @example
 * const fn = parseSignature('getPoint(uint id) view returns (int x, int y)');
 * abbreviatedSignature(fn, 'read') // 'getPoint(uint256) public view returns (int256 x, int256 y)'
 */
export function abbreviatedSignature(fn: ContractFunction, operation: ContractOperation): string {
	const isPayable = operation === 'write' && fn.stateMutability === 'payable';
	return [
		`${fn.name}${typeList(fn.inputs)} public`,
		...(operation === 'read' ? ['view'] : []),
		...(isPayable ? ['payable'] : []),
		...(fn.outputs.length > 0 ? [`returns (${fn.outputs.map(withName).join(', ')})`] : []),
	].join(' ');
}
