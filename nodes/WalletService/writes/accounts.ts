import { ServiceError } from '../request/failure/service-error';
import type { Origin } from './identity';
import { ScopedMap } from './memory/write-records';

/** A node in an execution. */
interface OfNode extends Pick<Origin, 'budget'> {
	readonly place: Pick<Origin['place'], 'node'>;
}

/** The writes of a node that went to an account in an execution, in this process. */
interface OfAccount {
	readonly node: string;
	readonly account: string;
	/** How many were recorded, or may have been. */
	readonly writes: number;
	/** Whether one of them was sent by the execution itself. */
	readonly isSent: boolean;
}

const accounts = new ScopedMap<OfAccount>(24 * 60 * 60_000);

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
 * Notes the account of a write. One that was refused leaves its node free to use another one.
 *
 * @param is `begun` before each sending; then `sent` if it was, or may have been, `refused` if it certainly was not, and
 * nothing if another execution had sent it
 * @example noteAccount({ budget: 'execution 1', place: { node: 'Pay' } }, 'account 1', 'begun');
 */
export function noteAccount(
	{ budget, place: { node } }: OfNode,
	account: string,
	is: 'begun' | 'sent' | 'refused',
): void {
	const ofExecution = accounts.active(budget);
	const name = JSON.stringify([node, account]);
	const { writes = 0, isSent = false } = ofExecution.get(name) ?? {};
	const change = { begun: 1, sent: 0, refused: -1 }[is];
	ofExecution.set(name, {
		node,
		account,
		writes: writes + change,
		isSent: isSent || is === 'sent',
	});
}

/**
 * Whether any node has sent, or may have sent, a write in an execution.
 *
 * @example hasSentIn({ budget: 'execution 2' }) // false
 */
export const hasSentIn = ({ budget }: Pick<Origin, 'budget'>): boolean =>
	[...(accounts.find(budget)?.values() ?? [])].some(({ isSent }) => isSent);

function notSent(message: string, hint: string): ServiceError {
	return new ServiceError({ message, hint, code: 'not-sent', state: 'unknown' });
}

/**
 * The refusal of a Retry whose node has sent from another account, by the memory of this process or by the service.
 *
 * @example paidFromOther().details.state // 'unknown'
 */
export const paidFromOther = (): ServiceError =>
	notSent(
		'Not sent: this node has paid from another account in this execution, and this one could pay again',
		'Nothing was sent now. Give the credential its first user and service again, or start a new execution with what was not paid',
	);

/**
 * Checks that a Retry sends nothing if it cannot know what the first execution has sent, or from another account than its
 * node: it would pay again.
 *
 * @param account see `PinnedCredential.owner`
 * @param isLedger whether its service can tell what was sent; otherwise only this process can
 * @throws ServiceError
 * @example assertKnownAccount({ isRetry: false, budget: 'execution 1', place: { node: 'Pay' } }, 'account 2', false) // undefined
 */
export function assertKnownAccount(
	{ isRetry, budget, place: { node } }: OfNode & Pick<Origin, 'isRetry'>,
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
	const known = [...(accounts.find(budget)?.values() ?? [])].filter(
		(one) => one.node === node && one.writes > 0,
	);
	if (known.length > 0 && !known.some((one) => one.account === account)) throw paidFromOther();
}
