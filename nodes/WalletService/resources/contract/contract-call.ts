import { abbreviatedSignature } from '../../contract/abbreviated-signature';
import { encodeArguments } from '../../contract/arguments';
import type { ContractFunction } from '../../contract/function';
import { parseSignature } from '../../contract/signature';
import { parseAddress } from '../../values/address';

/** Body of a contract request (interface, sections 4.5 and 4.6). */
export interface ContractCall {
	readonly address: string;
	/** Abbreviated signature of the one function. */
	readonly abi: string;
	/** One text per argument, in order. */
	readonly args: string[];
	/** Native coin to send along, in wei, as a decimal string; writes only. */
	readonly value?: string;
}

/** Reads a parameter of the current item. */
export type ReadParameter = (name: string, fallback: unknown) => unknown;

/** A checked call, and the function that it calls. */
export interface CheckedCall {
	readonly call: ContractCall;
	readonly contractFunction: ContractFunction;
}

/**
 * The contract call that an item's parameters describe, checked and canonical.
 *
 * @throws InvalidInput that names the parameter.
 */
export function checkedCall(read: ReadParameter, kind: 'read' | 'write'): CheckedCall {
	const address = parseAddress(read('contractAddress', ''), 'contractAddress');
	const contractFunction = parseSignature(read('abi', ''));
	const args = encodeArguments(contractFunction, read('args', []));
	const abi = abbreviatedSignature(contractFunction, kind);
	return { call: { address, abi, args }, contractFunction };
}
