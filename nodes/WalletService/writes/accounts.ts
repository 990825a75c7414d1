import { ServiceError } from '../request/failure/service-error';
import type { Origin } from './identity';
import { ScopedMap } from './memory/write-records';

/** Accounts to which the writes of an execution went; they are one process's. */
const accounts = new ScopedMap<true>(24 * 60 * 60_000);

/**
 * Notes the account of a write, before it is sent.
 *
 * @example noteAccount({ budget: 'execution 1' }, 'account 1');
 */
export const noteAccount = ({ budget }: Pick<Origin, 'budget'>, account: string): unknown =>
	accounts.active(budget).set(account, true);

/**
 * Checks that a Retry sends nothing to an account that knows nothing of the first execution: it would pay again.
 *
 * @param account by its key
 * @throws ServiceError
 * @example assertKnownAccount({ isRetry: false, budget: 'execution 1' }, 'account 2') // undefined
 */
export function assertKnownAccount(
	{ isRetry, budget }: Pick<Origin, 'isRetry' | 'budget'>,
	account: string,
): void {
	const known = isRetry ? accounts.find(budget) : undefined;
	if (known?.has(account) !== false) return;
	throw new ServiceError({
		message:
			'Not sent: this execution has paid from another account before, and this one could pay again',
		hint: 'Nothing was sent now. Give the credential its first user and service again, or start a new execution with what was not paid',
		code: 'not-sent',
		state: 'unknown',
	});
}
