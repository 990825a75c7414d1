import { ServiceError } from '../request/failure/service-error';
import type { Origin } from './identity';
import { ScopedMap } from './memory/write-records';

/** Accounts to which the writes of an execution went, also if there are none yet; they are one process's. */
const accounts = new ScopedMap<true>(24 * 60 * 60_000);

/**
 * Notes that an execution has come to a write, so that a Retry of it is known.
 *
 * @example noteExecution({ isRetry: false, budget: 'execution 1' });
 */
export function noteExecution({ isRetry, budget }: Pick<Origin, 'isRetry' | 'budget'>): void {
	if (!isRetry) accounts.active(budget);
}

/**
 * Notes the account of a write, before it is sent.
 *
 * @example noteAccount({ budget: 'execution 1' }, 'account 1');
 */
export const noteAccount = ({ budget }: Pick<Origin, 'budget'>, account: string): unknown =>
	accounts.active(budget).set(account, true);

function notSent(message: string, hint: string): ServiceError {
	return new ServiceError({ message, hint, code: 'not-sent', state: 'unknown' });
}

/**
 * Checks that a Retry sends nothing if it cannot know what the first execution has sent, or to another account: it would pay
 * again.
 *
 * @param account by its key
 * @param isLedger whether its service can tell what was sent; otherwise only this process can
 * @throws ServiceError
 * @example assertKnownAccount({ isRetry: false, budget: 'execution 1' }, 'account 2', false) // undefined
 */
export function assertKnownAccount(
	{ isRetry, budget }: Pick<Origin, 'isRetry' | 'budget'>,
	account: string,
	isLedger: boolean,
): void {
	if (!isRetry) return;
	const known = accounts.find(budget);
	if (known === undefined && !isLedger)
		throw notSent(
			'Not sent: n8n was restarted since the first execution, or another process of n8n ran it, so this Retry could pay again',
			'Nothing was sent now. Start a new execution with what was not paid. Where the wallet service keeps writes, Order ID prevents a second payment',
		);
	if (known === undefined || known.size === 0 || known.has(account)) return;
	throw notSent(
		'Not sent: this execution has paid from another account before, and this one could pay again',
		'Nothing was sent now. Give the credential its first user and service again, or start a new execution with what was not paid',
	);
}
