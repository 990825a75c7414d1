import { AbiCoder, id } from 'ethers';

import type { ContractFunction } from './function';
import { functionKey } from './function';
import type { TokenFacts } from './token-amount';

/** Body of a contract request (interface, sections 4.5 and 4.6). */
export interface ContractCall {
	readonly address: string;
	/** Abbreviated signature of the called function. */
	readonly abi: string;
	/** One string per argument, in order. */
	readonly args: string[];
	/** Native coin to send along, in wei, as a decimal string; writes only. */
	readonly value?: string;
}

export interface CheckedCall {
	readonly call: ContractCall;
	readonly contractFunction: ContractFunction;
	/** Wallet address by user ID, for IDs entered in place of addresses. */
	readonly resolvedAddresses: Readonly<Record<string, string>>;
	/** User name by user ID, for users who have one, cleaned for use in a sentence. */
	readonly userNames?: Readonly<Record<string, string>>;
	/** The called contract's token facts, if looked up. */
	readonly token?: TokenFacts;
	/** Base URL of the service that made the look-ups: on another service, their results can mean something else. */
	readonly preparedFor?: string;
	/** The credential's user, for whose wallet the call was prepared; absent if unknown. */
	readonly sender?: string;
}

/**
 * The 4-byte selector of a function, `0x` and 8 hexadecimal digits.
 *
 * @example selector(parseSignature('transfer(address,uint256)')) // '0xa9059cbb'
 */
export function selector(fn: ContractFunction): string {
	return id(functionKey(fn)).slice(0, 10);
}

/**
 * Encodes a call as the data of a transaction: selector and ABI-encoded arguments, in hexadecimal.
 *
 * @param encodedArgs the result of `encodeArguments` for this function
 * @example calldata(parseSignature('burn(uint256)'), ['7']) // '0x42966c68000…0007'
 */
export function calldata(fn: ContractFunction, encodedArgs: readonly string[]): string {
	const values = fn.inputs.map((input, index) => {
		const text = encodedArgs[index];
		const isJson = input.isArray() || input.isTuple() || input.type === 'bool';
		return isJson && text !== undefined ? JSON.parse(text) : text;
	});
	const data = AbiCoder.defaultAbiCoder().encode(fn.inputs, values);
	return `${selector(fn)}${data.slice(2)}`;
}
