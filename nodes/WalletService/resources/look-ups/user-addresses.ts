import type { IDataObject } from 'n8n-workflow';

import type { Asker } from '../../request/credential/active-credential';
import { readActiveCredential } from '../../request/credential/active-credential';
import { NOT_FOUND } from '../../request/failure/http-status';
import { ServiceError } from '../../request/failure/service-error';
import { unexpectedAnswer } from '../../request/http/answer';
import { fillRoute, ROUTES } from '../../request/http/routes';
import type { ServiceClient } from '../../request/http/service-client';
import type { Run } from '../../request/run/run';
import { isAddress } from '../../values/address';
import { isItem } from '../../values/objects';
import { quote } from '../../values/quote';
import { settle } from '../../values/settle';

/**
 * A profile in an answer of the service (interface, section 2.1).
 *
 * @throws ServiceError unless it is that of the user, letter by letter: money would go to the wrong wallet.
 */
export function profileOf(userId: string, answer: unknown): IDataObject {
	if (isItem(answer) && answer.id === userId) return answer;
	throw unexpectedAnswer(`the user ${quote(userId)}`, answer);
}

/**
 * The address of a user's wallet.
 *
 * @throws ServiceError when the service does not know the user, or the profile is that of another one.
 */
export async function lookUpAddress(userId: string, client: ServiceClient): Promise<string> {
	const url = fillRoute(ROUTES.user.url, { userId });
	const user = profileOf(userId, await client.get(url, { fresh: true }));
	if (isAddress(user.address)) return user.address;
	throw unexpectedAnswer('a user with an address', user);
}

async function lookUpKnown(userId: string, client: ServiceClient): Promise<string | undefined> {
	const result = await settle(lookUpAddress(userId, client));
	if (result.status === 'fulfilled') return result.value;
	const error: unknown = result.reason;
	if (error instanceof ServiceError && error.details.httpStatus === NOT_FOUND) return undefined;
	throw error;
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
		const address = await run.once(key, async () => await lookUpKnown(userId, client));
		if (address !== undefined) found.set(userId, address);
	}
	return found;
}
