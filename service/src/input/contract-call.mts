import { Interface, type FunctionFragment } from 'ethers';
import { checkAddress } from './address.mts';
import { parseArguments } from './call-arguments.mts';
import { parseSignature } from './function-signature.mts';

/** A checked contract call. */
export interface ContractCall {
	/** Checksummed contract address. */
	to: string;
	signature: FunctionFragment;
	/** Encoded call, 0x-prefixed. */
	data: string;
}

/**
 * Checks and encodes the call in a request.
 *
 * @throws InputError naming the invalid part of the request
 */
export function parseCall(request: {
	address: string;
	abi: string;
	args?: string[];
}): ContractCall {
	const to = checkAddress(request.address, 'address');
	const signature = parseSignature(request.abi);
	const values = parseArguments(signature, request.args ?? []);
	const data = new Interface([signature]).encodeFunctionData(signature, values);
	return { to, signature, data };
}
