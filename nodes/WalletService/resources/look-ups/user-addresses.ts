import type { IDataObject } from 'n8n-workflow';

import type { Asker } from '../../request/credential/active-credential';
import { readActiveCredential } from '../../request/credential/active-credential';
import { ServiceError } from '../../request/failure/service-error';
import { unexpectedAnswer } from '../../request/http/answer';
import { fillRoute } from '../../request/http/path';
import { ROUTES } from '../../request/http/routes';
import type { ServiceClient } from '../../request/http/service-client';
import type { Run } from '../../request/run/run';
import { isAddress } from '../../values/address';
import { isItem } from '../../values/objects';
import { quote } from '../../values/quote';
import { settle } from '../../values/settle';

const NOT_FOUND = 404;

/** Whether a profile is that of another user: money would go to the wrong wallet. A service may write letters in another case. */
function isOfAnother(userId: string, { id }: IDataObject): boolean {
	return id !== undefined && String(id).toLowerCase() !== userId.toLowerCase();
}

/** The address in a user's profile (interface, section 4.1); `undefined` if there is no such user. */
async function lookUp(userId: string, client: ServiceClient): Promise<string | undefined> {
	const result = await settle(client.get(fillRoute(ROUTES.user.url, { userId })));
	if (result.status === 'rejected') {
		const error: unknown = result.reason;
		if (error instanceof ServiceError && error.details.httpStatus === NOT_FOUND) return undefined;
		throw error;
	}
	const user = result.value;
	if (!isItem(user) || !isAddress(user.address))
		throw unexpectedAnswer('a user with an address', user);
	if (isOfAnother(userId, user)) throw unexpectedAnswer(`the user ${quote(userId)}`, user);
	return user.address;
}

/**
 * The wallet addresses of users, looked up once per run and ID; IDs that the service does not know are
 * left out.
 *
 * @throws ServiceError when a user cannot be looked up.
 */
export async function resolveUsers(
	{ context }: Asker,
	run: Run,
	userIds: readonly string[],
	client: ServiceClient,
): Promise<ReadonlyMap<string, string>> {
	const found = new Map<string, string>();
	if (userIds.length === 0) return found;
	// With expressions in the credential, items can use different services, or applications that have separate wallets.
	const { baseUrl, accessToken } = await readActiveCredential(context);
	for (const userId of userIds) {
		const key = JSON.stringify(['address', baseUrl, accessToken, userId]);
		const address = await run.once(key, async () => await lookUp(userId, client));
		if (address !== undefined) found.set(userId, address);
	}
	return found;
}
