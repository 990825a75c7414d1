import { ServiceError } from '../../request/failure/service-error';
import type { ServiceClient } from '../../request/http/service-client';
import type { Item } from '../../request/run/item';
import type { Run } from '../../request/run/run';
import { settle } from '../../values/settle';
import { resolveUsers } from '../look-ups/user-addresses';

/** The address of a user's own wallet, lower case: what went to it was received. Looked up once in a run. */
export async function ownAddress(
	userId: string,
	{ item, run, client }: { readonly item: Item; readonly run: Run; readonly client: ServiceClient },
): Promise<string> {
	const result = await settle(resolveUsers(item, run, [userId], client));
	if (result.status === 'rejected') {
		const error: unknown = result.reason;
		if (!(error instanceof ServiceError)) throw error;
		// The path that the error names is that of the history.
		throw error.with({ message: `The wallet of ${userId} cannot be looked up: ${error.message}` });
	}
	const address = result.value.get(userId);
	if (address !== undefined) return address.toLowerCase();
	throw new ServiceError({
		message: `The service lists transfers of ${userId}, but does not say what their wallet is`,
		hint: 'Without it, received and sent cannot be told apart. Switch Simplify off and remove the filter by direction to get the transfers as they came',
		code: 'not-found',
	});
}
