import { ServiceError } from '../../request/failure/service-error';
import type { Origin } from '../place';
import type { WriteAccount } from '../account';
import { sentWrites } from '../ledger/process-memory';
import { ScopedMap } from '../ledger/process-records';
import { isSameAccount } from '../account';

/** A node in an execution. */
interface NodeOfExecution extends Pick<Origin, 'budget'> {
	readonly place: Pick<Origin['place'], 'node'>;
}

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
 * Whether any node has sent, or may have sent, a write in an execution.
 *
 * @example hasSentIn({ budget: 'execution 2' }) // false
 */
export const hasSentIn = ({ budget }: Pick<Origin, 'budget'>): boolean =>
	[...sentWrites.all(budget)].some(({ state }) => state !== 'begun');

function refusedRetry(message: string, hint: string): ServiceError {
	return new ServiceError({ message, hint, code: 'not-sent', state: 'unknown' });
}

/**
 * The refusal of a Retry whose node has sent from another account, by the memory of this process or by the service.
 *
 * @example paidFromOther().details.state // 'unknown'
 */
export const paidFromOther = (): ServiceError =>
	refusedRetry(
		'Not sent: this node has paid from another account in this execution, and this one could pay again',
		'Nothing was sent now. Give the credential its first user and service again, or start a new execution with what was not paid',
	);

/**
 * Checks that a Retry sends nothing if it cannot know what the first execution has sent, or from another account than its
 * node: it would pay again.
 *
 * @param isLedger whether its service can tell what was sent; otherwise only this process can
 * @throws ServiceError
 * @example assertKnownAccount({ isRetry: false, budget: 'execution 1', place: { node: 'Pay' } }, { key: 'token 2' }, false) // undefined
 */
export function assertKnownAccount(
	{ isRetry, budget, place: { node } }: NodeOfExecution & Pick<Origin, 'isRetry'>,
	account: WriteAccount,
	isLedger: boolean,
): void {
	if (!isRetry) return;
	const isKnown = firstOnes.find(budget) !== undefined;
	if (!isKnown && !isLedger)
		throw refusedRetry(
			'Not sent: n8n was restarted since the first execution, or another process of n8n ran it, so this Retry could pay again',
			'Nothing was sent now. Start a new execution with what was not paid. Where the wallet service keeps writes, Order ID prevents a second payment',
		);
	let isOther = false;
	// The first one answers it, however many there are.
	for (const one of sentWrites.all(budget)) {
		if (one.node !== node) continue;
		if (isSameAccount(one.account, account)) return;
		isOther = true;
	}
	if (isOther) throw paidFromOther();
}
