import { AbiCoder, FunctionFragment } from 'ethers';
import type { ParamType } from 'ethers';

import type { ContractFunction } from './function';

/**
 * The 4-byte selector of a function, `0x` and 8 hexadecimal digits.
 *
 * @example selector(parseSignature('transfer(address,uint256)')) // '0xa9059cbb'
 */
export function selector(fn: ContractFunction): string {
	return FunctionFragment.getSelector(fn.name, [...fn.inputs]);
}

function fromText(text: string | undefined, param: ParamType): unknown {
	if (text === undefined) return undefined;
	return param.isArray() || param.isTuple() || param.type === 'bool' ? JSON.parse(text) : text;
}

/**
 * The data of a transaction that calls a function: selector and ABI-encoded arguments, in hexadecimal.
 *
 * @param encodedArgs the result of `encodeArguments` for this function
 * @example calldata(parseSignature('burn(uint256)'), ['7']) // '0x42966c68000…0007'
 */
export function calldata(fn: ContractFunction, encodedArgs: readonly string[]): string {
	const values = fn.inputs.map((input, index) => fromText(encodedArgs[index], input));
	const data = AbiCoder.defaultAbiCoder().encode(fn.inputs, values);
	return `${selector(fn)}${data.slice(2)}`;
}
