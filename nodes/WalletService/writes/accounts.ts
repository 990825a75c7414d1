import { ServiceError } from '../request/failure/service-error';
import type { Origin } from './identity';
import { ScopedMap } from './memory/write-records';

/** Accounts to which the writes of an execution went, with whether one was sent, or may have been; they are one process's. */
const accounts = new ScopedMap<boolean>(24 * 60 * 60_000);

/** Executions that this process has run before any Retry of them. */
const firstOnes = new ScopedMap<never>(24 * 60 * 60_000);

/**
 * Notes that an execution has come to a write, so that a Retry of it is known.
 *
 * @example noteExecution({ isRetry: false, budget: 'execution 1' });
 */
export function noteExecution({ isRetry, budget }: Pick<Origin, 'isRetry' | 'budget'>): void {
	if (!isRetry) firstOnes.active(budget);
}

/**
 * Notes the account of a write.
 *
 * @param isSent whether it was sent, or may have been
 * @example noteAccount({ budget: 'execution 1' }, 'account 1', false);
 */
export function noteAccount(
	{ budget }: Pick<Origin, 'budget'>,
	account: string,
	isSent: boolean,
): void {
	const ofExecution = accounts.active(budget);
	ofExecution.set(account, isSent || ofExecution.get(account) === true);
}

/**
 * Whether any node has sent, or may have sent, a write in an execution.
 *
 * @example hasSentIn({ budget: 'execution 2' }) // false
 */
export const hasSentIn = ({ budget }: Pick<Origin, 'budget'>): boolean =>
	[...(accounts.find(budget)?.values() ?? [])].includes(true);

function notSent(message: string, hint: string): ServiceError {
	return new ServiceError({ message, hint, code: 'not-sent', state: 'unknown' });
}

/**
 * The refusal of a Retry whose execution has sent from another account, by the memory of this process or by the service.
 *
 * @example paidFromOther().details.state // 'unknown'
 */
export const paidFromOther = (): ServiceError =>
	notSent(
		'Not sent: this execution has paid from another account before, and this one could pay again',
		'Nothing was sent now. Give the credential its first user and service again, or start a new execution with what was not paid',
	);

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
	const isKnown = firstOnes.find(budget) !== undefined;
	if (!isKnown && !isLedger)
		throw notSent(
			'Not sent: n8n was restarted since the first execution, or another process of n8n ran it, so this Retry could pay again',
			'Nothing was sent now. Start a new execution with what was not paid. Where the wallet service keeps writes, Order ID prevents a second payment',
		);
	const known = accounts.find(budget);
	if (known !== undefined && known.size > 0 && !known.has(account)) throw paidFromOther();
}
