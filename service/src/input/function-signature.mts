import { FunctionFragment, isError, type ParamType } from 'ethers';
import { InputError } from './input-error.mts';

/** Limits that no real function reaches; without them, one signature could occupy the service for seconds. */
const MAX_LENGTH = 10_000;
const MAX_BRACKETS = 200;
const MAX_VALUES = 10_000;

/** Number of values in types, with one element of each array of any length. Empty types, which Solidity lacks, are infinite. */
function countValues(types: readonly ParamType[]): number {
	const counts = types.map((type) => {
		if (type.isTuple()) return countValues(type.components) || Infinity;
		if (!type.isArray()) return 1;
		return Math.abs(type.arrayLength) * countValues([type.arrayChildren]) || Infinity;
	});
	return counts.reduce((total, count) => total + count, 0);
}

/**
 * Parses the signature of one function, with or without the word `function`, in any form
 * of ethers' human-readable ABI.
 *
 * @throws InputError with field `abi`
 */
export function parseSignature(text: string): FunctionFragment {
	const tooLarge = new InputError('abi', 'is too long, too deep, or of too many or empty values');
	if (text.length > MAX_LENGTH || text.split(/[([]/).length > MAX_BRACKETS) throw tooLarge;
	const signature = text.trim().replace(/^function\s+/, '');
	try {
		const fragment = FunctionFragment.from(`function ${signature}`);
		if (countValues([...fragment.inputs, ...fragment.outputs]) <= MAX_VALUES) return fragment;
	} catch (cause) {
		const reason = isError(cause, 'INVALID_ARGUMENT') ? cause.shortMessage : 'not a signature';
		throw new InputError('abi', `is not the signature of one function: ${reason}`, { cause });
	}
	throw tooLarge;
}
