import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../../request/failure/service-error';
import { unexpectedAnswer } from '../../request/http/answer';
import { fillRoute, ROUTES } from '../../request/http/routes';
import type { ServiceClient } from '../../request/http/service-client';
import { isAddress, shortAddress, withKnownChecksum } from '../../values/address';
import { defined, isItem } from '../../values/objects';
import { foreignWords, quote } from '../../values/quote';

/**
 * Reads the profile of a user from an answer (interface, section 2.1).
 *
 * @throws ServiceError unless its ID is exactly the user's: money could go to the wrong wallet.
 */
export function profileOf(userId: string, answer: unknown): IDataObject {
	if (isItem(answer) && answer.id === userId) return answer;
	throw unexpectedAnswer(`the user ${quote(userId)}`, answer);
}

/** The result of a user look-up. */
export interface KnownUser {
	readonly address: string;
	/** The user's name, cleaned for use in a sentence; absent if nothing visible remains. */
	readonly name?: string;
}

/** A user's name in a sentence. An address in place of a name is shortened, and marked unless it is the wallet's. */
export function nameInWords(username: unknown, wallet: string): string {
	const address = typeof username === 'string' ? username.trim() : '';
	if (!/^0x[0-9a-f]{40}$/i.test(address)) return foreignWords(username);
	const isOwn = address.toLowerCase() === wallet.toLowerCase();
	return isOwn ? shortAddress(wallet) : `${shortAddress(address)} (only a name)`;
}

/** Looks up a user's wallet and name. @throws ServiceError for an unknown user, or the profile of another user. */
export async function lookUpUser(userId: string, client: ServiceClient): Promise<KnownUser> {
	const url = fillRoute(ROUTES.user.url, { userId });
	const user = profileOf(userId, await client.get(url, { fresh: true }));
	const { address, username } = user;
	if (isAddress(address)) {
		const name = nameInWords(username, address);
		const isName = name !== '' && name !== shortAddress(address);
		return defined({ address: withKnownChecksum(address), name: isName ? name : undefined });
	}
	throw unexpectedAnswer('a user with an address', user);
}

/** Like `lookUpUser`, but once per run; `undefined` for an unknown user. @throws ServiceError if the look-up fails. */
export async function knownUser(
	userId: string,
	client: ServiceClient,
): Promise<KnownUser | undefined> {
	return await client.once(['user', userId], async () =>
		lookUpUser(userId, client).catch((error: unknown) => {
			if (error instanceof ServiceError && error.details.code === 'not-found') return undefined;
			throw error;
		}),
	);
}
