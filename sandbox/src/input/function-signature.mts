import { FunctionFragment, isError } from 'ethers';
import { InputError } from './input-error.mts';

/**
 * Parses the signature of one function, with or without the word `function`, in any form
 * of ethers' human-readable ABI.
 *
 * @throws InputError with field `abi`
 */
export function parseSignature(text: string): FunctionFragment {
	const signature = text.trim().replace(/^function\s+/, '');
	try {
		return FunctionFragment.from(`function ${signature}`);
	} catch (cause) {
		const reason = isError(cause, 'INVALID_ARGUMENT') ? cause.shortMessage : 'not a signature';
		throw new InputError('abi', `is not the signature of one function: ${reason}`, { cause });
	}
}
