import type { FunctionFragment } from 'ethers';
import { checkAddress } from './address.mts';
import { encodeArguments } from './call-arguments.mts';
import { parseSignature } from './function-signature.mts';
import { Words } from './words.mts';

/** Words that the arguments of a write may take: nodes refuse transactions of more than 128 KiB. */
export const MOST_WORDS_OF_WRITE = 4_096;

/** Words that the arguments of a read may take. */
export const MOST_WORDS_OF_READ = 8_192;

/** A checked contract call. */
export interface ContractCall {
	/** Checksummed contract address. */
	to: string;
	signature: FunctionFragment;
	/** Encoded call, 0x-prefixed. */
	data: string;
}

/**
 * Checks and encodes the call in a request, in turns with other requests.
 *
 * @param mostWords words that its arguments may take
 * @throws InputError naming the invalid part of the request
 */
export async function parseCall(
	request: {
		address: string;
		abi: string;
		args?: string[];
	},
	mostWords: number,
): Promise<ContractCall> {
	const to = checkAddress(request.address, 'address');
	const signature = parseSignature(request.abi);
	const args = await encodeArguments(signature, request.args ?? [], new Words(mostWords));
	return { to, signature, data: signature.selector + args };
}
