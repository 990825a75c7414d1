import type { IPollFunctions } from 'n8n-workflow';

import { ServiceError } from '../request/failure/service-error';
import { InvalidInputError } from '../values/invalid-input';
import { settle } from '../values/settle';
import { observeBalance } from './balance-event';
import { observeTransfers } from './new-transfer';
import type { Observation } from './observation';
import type { TriggerSettings } from './settings';
import type { WalletStates } from './state';
import { WalletReader } from './wallet-reader';

/** A failure that can be reported to the user. */
export type WalletFailure = ServiceError | InvalidInputError;

type Attempt =
	| { readonly userId: string; readonly observation: Observation }
	| { readonly userId: string; readonly failure: WalletFailure };

function ofUser(failure: WalletFailure, userId: string): WalletFailure {
	if (failure instanceof InvalidInputError) return failure;
	return failure.ofUser(userId);
}

async function attempt(userId: string, observing: Promise<Observation>): Promise<Attempt> {
	const result = await settle(observing);
	if (result.status === 'fulfilled') return { userId, observation: result.value };
	const error: unknown = result.reason;
	if (!(error instanceof ServiceError) && !(error instanceof InvalidInputError)) throw error;
	return { userId, failure: ofUser(error, userId) };
}

/** Starts at a random entry: if the time of a poll is too short for all, each is still read in some polls. */
function startingAnywhere<T>(list: readonly T[]): T[] {
	const start = Math.floor(Math.random() * list.length);
	return [...list.slice(start), ...list.slice(0, start)];
}

/**
 * Asks the service for all watched wallets. A wallet that cannot be read is logged and left out.
 *
 * @param states the saved states of the wallets
 * @throws ServiceError or InvalidInputError of one of them, when none can be read.
 */
export async function readWallets(
	context: IPollFunctions,
	settings: TriggerSettings,
	states: WalletStates,
): Promise<ReadonlyMap<string, Observation>> {
	const { event } = settings;
	const reader = new WalletReader(context);
	const observeWallet = async (userId: string): Promise<Observation> =>
		event.name === 'newTransfer'
			? await observeTransfers(reader, userId, event, states.get(userId)?.address)
			: await observeBalance(reader, userId, event);
	const attempts = await Promise.all(
		startingAnywhere(settings.userIds).map(
			async (userId) => await attempt(userId, observeWallet(userId)),
		),
	);
	const failures = attempts.flatMap((one) => ('failure' in one ? [one.failure] : []));
	const [one] = failures;
	if (one !== undefined && failures.length === attempts.length) throw one;
	for (const failure of failures) {
		const what = failure instanceof ServiceError ? failure.inOneSentence() : failure.message;
		context.logger.warn(`${context.getNode().name}: ${what}`);
	}
	return new Map(
		attempts.flatMap((one) => ('observation' in one ? [[one.userId, one.observation]] : [])),
	);
}
