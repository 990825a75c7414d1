import { InvalidInputError } from '../../../nodes/WalletService/values/invalid-input.ts';

export function succeeds(call: () => unknown): boolean {
	try {
		call();
		return true;
	} catch {
		return false;
	}
}

/** The refusal that a call ends with; throws if it ends in any other way. */
export function refusalOf(call: () => unknown): InvalidInputError {
	try {
		call();
	} catch (error) {
		if (error instanceof InvalidInputError) return error;
		throw error;
	}
	throw new Error('Nothing was refused');
}

/** The refusal that a promise is rejected with; throws if it ends in any other way. */
export async function rejectionOf(promise: Promise<unknown>): Promise<InvalidInputError> {
	const [result] = await Promise.allSettled([promise]);
	return refusalOf(() => {
		if (result.status === 'rejected') throw result.reason;
	});
}
