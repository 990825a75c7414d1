import { ServiceError } from '../../request/failure/service-error';
import { settle } from '../../values/settle';
import type { Seeker } from '../look-ups/user-addresses';
import { addressOf } from '../look-ups/user-addresses';

/** The address of a user's own wallet, lower case: what went to it was received. Looked up once in a run. */
export async function ownAddress(userId: string, seeker: Seeker): Promise<string> {
	const result = await settle(addressOf(userId, seeker));
	if (result.status === 'rejected') {
		const error: unknown = result.reason;
		if (!(error instanceof ServiceError)) throw error;
		// The path that the error names is that of the history.
		throw error.with({ message: `The wallet of ${userId} cannot be looked up: ${error.message}` });
	}
	if (result.value !== undefined) return result.value.toLowerCase();
	throw new ServiceError({
		message: `The service lists transfers of ${userId}, but does not say what their wallet is`,
		hint: 'Without it, received and sent cannot be told apart. Switch Simplify off and remove the filter by direction to get the transfers as they came',
		code: 'not-found',
	});
}
