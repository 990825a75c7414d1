import { AbiCoder } from 'ethers';

import type { ContractFunction, ContractOperation } from './function';
import { abbreviatedSignature, selector } from './function';
import type { TokenFacts } from './token-amount';
import type { TokenMove } from './token-moves';
import { tokenMove } from './token-moves';

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

/** What the look-ups of a call found. */
export interface LookedUp {
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

export interface CheckedCall extends LookedUp {
	readonly call: ContractCall;
	readonly contractFunction: ContractFunction;
	/** The tokens that a write moves, if its function is known to move any. */
	readonly move?: TokenMove;
}

/**
 * Makes a call from its canonical arguments, and recognizes what it moves.
 *
 * @throws InvalidInputError for a function that only shares its selector with another one, or lists of different lengths.
 * @example
 * const fn = parseSignature('transfer(address who, uint256 tokenId)');
 * const call = { address: '0x12', args: ['0xab', '5'] };
 * checkedCall(fn, 'write', call, { resolvedAddresses: {} }).move?.party // '0xab'
 */
export function checkedCall<Facts extends LookedUp>(
	contractFunction: ContractFunction,
	operation: ContractOperation,
	{ address, args, value }: Omit<ContractCall, 'abi'>,
	facts: Facts,
): CheckedCall & Facts {
	const abi = abbreviatedSignature(contractFunction, operation);
	const call = { address, abi, args, ...(value !== undefined && { value }) };
	const isWrite = operation === 'write';
	const move = isWrite ? tokenMove(contractFunction, call, facts.token) : undefined;
	return { ...facts, call, contractFunction, move };
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

/** A decoded argument as a request contains it: text; arrays, tuples as JSON. */
function asArgument(value: unknown): unknown {
	return Array.isArray(value) ? value.map(asArgument) : String(value);
}

/**
 * Decodes the data of a transaction that calls a function, the reverse of {@link calldata}.
 *
 * @returns one string per argument; `undefined` if the data call another function, or cannot be decoded
 * @example argumentsIn(parseSignature('burn(uint256)'), calldata(parseSignature('burn(uint256)'), ['7'])) // ['7']
 */
export function argumentsIn(fn: ContractFunction, data: string): string[] | undefined {
	if (data.slice(0, 10).toLowerCase() !== selector(fn)) return undefined;
	try {
		const values = AbiCoder.defaultAbiCoder().decode(fn.inputs, `0x${data.slice(10)}`);
		return values.toArray(true).map((value) => {
			return Array.isArray(value) ? JSON.stringify(asArgument(value)) : String(value);
		});
	} catch {
		return undefined;
	}
}
