import { isAddress } from '../../values/address';
import { ExpiringMap } from '../../values/caches';
import { isItem } from '../../values/objects';
import { foreignWords } from '../../values/quote';
import { settle } from '../../values/settle';
import type { Account } from '../credential/account';
import type { GetCredentials } from '../credential/shared-credential';
import { ServiceError } from '../failure/service-error';
import { orAgain, successOf } from './answer';
import { ROUTES } from './routes';
import type { ServiceClient } from './service-client';

/** What a service offers beyond the interface. */
export interface ServiceDescription {
	/** Whether it keeps each write under a key for ever, and can take a key out of use. */
	readonly keepsWrites: boolean;
	/** Whether it also lists them by what the node says about them. */
	readonly listsWrites: boolean;
	/** Whether it reports what became of a transaction. */
	readonly reportsTransactions: boolean;
	/** The name of its network; absent if it reports none. */
	readonly network?: string;
	/** ID of the user of the credential's token; absent if it does not say. */
	readonly user?: string;
	/** Their name, cleaned for use in a sentence; absent if there is none. */
	readonly userName?: string;
	/** Address of their wallet; absent if it does not say. */
	readonly userAddress?: string;
	/** Why it could not say anything, although its answer proves nothing else either; absent otherwise. */
	readonly trouble?: ServiceError;
}

/** Descriptions by account. They are kept for minutes, because a service can be updated. */
const descriptions = new ExpiringMap<ServiceDescription>({
	maxEntries: 1000,
	holdsForMs: 5 * 60_000,
});

/** What each client was told last. */
const told = new WeakMap<ServiceClient, ServiceDescription>();

/**
 * What the service has said of itself to a client, without asking it.
 *
 * @example knownDescription(new ServiceClient(context, run)) // undefined, before it is asked
 */
export const knownDescription = (client: ServiceClient): ServiceDescription | undefined =>
	told.get(client);

/** Accounts whose service has said that it keeps writes: it does not forget that, so other answers are not its own. */
const keepers = new ExpiringMap<true>({ maxEntries: 1000, holdsForMs: 24 * 60 * 60_000 });

/** What answers in another way, such as a web page: it may not be the service. */
const strangers = new ExpiringMap<ServiceDescription>({ maxEntries: 1000, holdsForMs: 60_000 });

const isAnswered = (error: unknown): boolean =>
	error instanceof ServiceError && error.details.httpStatus !== undefined;

/** Statuses below 500 of a service that is in trouble. */
const FOR_NOW = new Set([408, 425, 429]);

/** Whether it is an answer of a service in trouble, also of one that keeps writes. */
function isTrouble(error: unknown): error is ServiceError {
	const { httpStatus = 0 } = error instanceof ServiceError ? error.details : {};
	return httpStatus >= 500 || FOR_NOW.has(httpStatus);
}

const otherAnswer = () =>
	new ServiceError({
		message: 'The service no longer says that it keeps writes, as it did before',
		hint: 'Nothing was sent. Check that the base URL leads to the same service',
		code: 'unreadable-answer',
	});

/**
 * Asks the service what it offers beyond the interface. One that answers anything else than JSON offers nothing, unless it has
 * said before that it keeps writes.
 *
 * @param account a reading of the credential that a write shares; by default, it is read
 * @param isOfOrder whether what another one has answered in its place must not stand for its own words any longer
 * @throws ServiceError if there is no answer, or another one than before: a write could then be sent in the wrong way.
 * @example (await describeService(new ServiceClient(context, run))).keepsWrites // true, for the wallet service of this project
 */
export async function describeService(
	client: ServiceClient,
	account?: Pick<Account, 'key'> & { readonly getCredentials: GetCredentials },
	isOfOrder = false,
): Promise<ServiceDescription> {
	const { key } = account ?? (await client.account());
	const known = descriptions.get(key) ?? (isOfOrder ? undefined : strangers.get(key));
	if (known !== undefined) {
		told.set(client, known);
		return known;
	}
	const { url } = ROUTES.service;
	const asking = client.send(ROUTES.service, {
		read: (received) => orAgain(() => successOf(received, url), 'refused-for-now'),
		openCredential: account && (async () => account.getCredentials),
	});
	const asked = await settle(asking);
	const isKeeper = keepers.get(key) === true;
	const value = asked.status === 'fulfilled' && isItem(asked.value) ? asked.value : undefined;
	const { writes, transactions, network: given, user } = value ?? {};
	const keepsWrites = isItem(writes) && writes.put === true && writes.fence === true;
	if (isKeeper && !keepsWrites) throw asked.status === 'rejected' ? asked.reason : otherAnswer();
	// The question must not make a service unusable that has no such route, whatever it answers.
	if (asked.status === 'rejected' && !isAnswered(asked.reason)) throw asked.reason;
	const network = foreignWords(given) || undefined;
	const userId = isItem(user) && typeof user.id === 'string' ? user.id : undefined;
	const userName = (isItem(user) && userId && foreignWords(user.username)) || undefined;
	const userAddress =
		(isItem(user) && userId && isAddress(user.address) && user.address) || undefined;
	const description = {
		keepsWrites,
		listsWrites: keepsWrites && writes.attempts === true,
		reportsTransactions: transactions === true,
		network,
		user: userId,
		userName,
		userAddress,
		trouble: asked.status === 'rejected' && isTrouble(asked.reason) ? asked.reason : undefined,
	};
	told.set(client, description);
	(value ? descriptions : strangers).set(key, description);
	if (keepsWrites) keepers.set(key, true);
	return description;
}
