import { InvalidInputError } from '../../../../nodes/WalletService/values/invalid-input.ts';

/** The refusal that a call ends with; throws when it ends in any other way. */
export function refusalOf(call: () => unknown): InvalidInputError {
	try {
		call();
	} catch (error) {
		if (error instanceof InvalidInputError) return error;
		throw error;
	}
	throw new Error('nothing was refused');
}
