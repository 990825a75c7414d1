import { ExpiringMap } from '../../values/caches';
import { isItem } from '../../values/objects';
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
	/** Whether it reports what became of a transaction. */
	readonly reportsTransactions: boolean;
}

/** Descriptions by account. They are kept for minutes, because a service can be updated. */
const descriptions = new ExpiringMap<ServiceDescription>({
	maxEntries: 1000,
	holdsForMs: 5 * 60_000,
});

/** Accounts whose service has said that it keeps writes: it does not forget that, so other answers are not its own. */
const keepers = new ExpiringMap<true>({ maxEntries: 1000, holdsForMs: 24 * 60 * 60_000 });

/** Statuses of a service without the route, also on a page: frameworks answer so by themselves. */
const NO_ROUTE: ReadonlySet<number> = new Set([404, 405, 501]);

/** Statuses that say nothing about the route: the request was not let through, or may be repeated. */
const NO_ANSWER: ReadonlySet<number> = new Set([401, 407, 408, 425, 429]);

/** Whether a failure is the answer of a service without this route, not a failure to ask, or the page of a proxy. */
function isUnknownRoute(error: unknown): boolean {
	const { httpStatus = 500, code } = error instanceof ServiceError ? error.details : {};
	if (NO_ROUTE.has(httpStatus)) return true;
	return httpStatus < 500 && code !== 'unreadable-answer' && !NO_ANSWER.has(httpStatus);
}

/**
 * Asks the service what it offers beyond the interface; a service that does not know the question offers nothing.
 *
 * @param account a reading of the credential that a write shares; by default, it is read
 * @throws ServiceError if the service cannot be asked: a write could then be sent in the wrong way.
 * @example (await describeService(new ServiceClient(context, run))).keepsWrites // true, for the wallet service of this project
 */
export async function describeService(
	client: ServiceClient,
	account?: Pick<Account, 'key'> & { readonly getCredentials: GetCredentials },
): Promise<ServiceDescription> {
	const { key } = account ?? (await client.account());
	const known = descriptions.get(key);
	if (known !== undefined) return known;
	const { url } = ROUTES.service;
	const asking = client.send(ROUTES.service, {
		read: (received) => orAgain(() => successOf(received, url), 'refused-for-now'),
		openCredential: account && (async () => account.getCredentials),
	});
	const asked = await settle(asking);
	const isKeeper = keepers.get(key) === true;
	if (asked.status === 'rejected' && (isKeeper || !isUnknownRoute(asked.reason)))
		throw asked.reason;
	const { writes, transactions } =
		asked.status === 'fulfilled' && isItem(asked.value) ? asked.value : {};
	const keepsWrites = isItem(writes) && writes.put === true && writes.fence === true;
	const description = { keepsWrites, reportsTransactions: transactions === true };
	descriptions.set(key, description);
	if (keepsWrites) keepers.set(key, true);
	return description;
}
