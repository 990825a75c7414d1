import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import type { CredentialContext } from '../../request/credential/active-credential';
import { NOT_FOUND } from '../../request/failure/http-status';
import { ServiceError } from '../../request/failure/service-error';
import { unexpectedAnswer } from '../../request/http/answer';
import { fillRoute, ROUTES } from '../../request/http/routes';
import type { ServiceClient } from '../../request/http/service-client';
import type { Run } from '../../request/run/run';
import { isAddress } from '../../values/address';
import { defined, isItem } from '../../values/objects';
import { foreignWords, quote } from '../../values/quote';

/** Who looks something up: an item or a poll, in its run. */
export interface Seeker {
	readonly item: { readonly context: CredentialContext };
	readonly run: Run;
	readonly client: ServiceClient;
}

/** The same, with the one reading of its credential by which what it looks up is kept. */
export interface Asker extends Seeker {
	readonly credential: ICredentialDataDecryptedObject;
}

/** Looks something up once per run, service and access token. */
export async function lookUpOnce<T>(
	{ credential, run }: Asker,
	what: readonly string[],
	make: () => Promise<T>,
): Promise<T> {
	// By a credential with expressions, items can use different services, or applications that have separate wallets.
	const { baseUrl, accessToken } = credential;
	return await run.once.get(JSON.stringify([baseUrl, accessToken, ...what]), make);
}

/**
 * A profile in an answer of the service (interface, section 2.1).
 *
 * @throws ServiceError unless it is that of the user, letter by letter: money would go to the wrong wallet.
 */
export function profileOf(userId: string, answer: unknown): IDataObject {
	if (isItem(answer) && answer.id === userId) return answer;
	throw unexpectedAnswer(`the user ${quote(userId)}`, answer);
}

/** What is known of a user once they are looked up. */
export interface KnownUser {
	readonly address: string;
	/** What they call themselves, as it can stand in a sentence; absent when nothing of it can be seen. */
	readonly name?: string;
}

/** A user's wallet and name. @throws ServiceError for an unknown user, and for the profile of another one. */
export async function lookUpUser(userId: string, client: ServiceClient): Promise<KnownUser> {
	const url = fillRoute(ROUTES.user.url, { userId });
	const user = profileOf(userId, await client.get(url, { fresh: true }));
	const { address, username } = user;
	if (isAddress(address)) return defined({ address, name: foreignWords(username) || undefined });
	throw unexpectedAnswer('a user with an address', user);
}

/** The same, once in a run; `undefined` for an unknown user. @throws ServiceError when it cannot be looked up. */
export async function knownUser(userId: string, asker: Asker): Promise<KnownUser | undefined> {
	return await lookUpOnce(asker, ['user', userId], async () =>
		lookUpUser(userId, asker.client).catch((error: unknown) => {
			if (error instanceof ServiceError && error.details.httpStatus === NOT_FOUND) return undefined;
			throw error;
		}),
	);
}
