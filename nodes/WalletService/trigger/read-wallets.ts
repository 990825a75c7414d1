import type { IPollFunctions } from 'n8n-workflow';

import { ServiceError } from '../request/failure/service-error';
import { InvalidInputError } from '../values/invalid-input';
import { settle } from '../values/settle';
import { observeBalance } from './balance-event';
import { observeTransfers } from './new-transfer';
import type { Observation } from './observation';
import type { TriggerSettings, WatchedEvent } from './settings';
import type { WalletState, WalletStates } from './state';
import { observeValue } from './value-event';
import type { WatchedValue } from './value-settings';
import { WalletReader } from './wallet-reader';

/** A failure that can be reported to the user. */
export type WalletFailure = ServiceError | InvalidInputError;

type Attempt =
	| { readonly id: string; readonly observation: Observation }
	| { readonly id: string; readonly failure: WalletFailure };

async function attempt(id: string, observing: Promise<Observation>): Promise<Attempt> {
	const result = await settle(observing);
	if (result.status === 'fulfilled') return { id, observation: result.value };
	const error: unknown = result.reason;
	if (!(error instanceof ServiceError) && !(error instanceof InvalidInputError)) throw error;
	return { id, failure: error };
}

/** Observes the wallet of a user. A failure says whose it is. */
async function observeWallet(
	reader: WalletReader,
	userId: string,
	event: Exclude<WatchedEvent, WatchedValue>,
	state: WalletState | undefined,
): Promise<Observation> {
	const result = await settle(
		event.name === 'newTransfer'
			? observeTransfers(reader, userId, event, state)
			: observeBalance(reader, userId, event),
	);
	if (result.status === 'fulfilled') return result.value;
	const error: unknown = result.reason;
	throw error instanceof ServiceError ? error.ofUser(userId) : error;
}

/** Starts at a random entry: if the time of a poll is too short for all, each is still read in some polls. */
function startingAnywhere<T>(list: readonly T[]): T[] {
	const start = Math.floor(Math.random() * list.length);
	return [...list.slice(start), ...list.slice(0, start)];
}

/**
 * Asks the service for all watched wallets, or for the watched value. A wallet that cannot be read is logged and left out.
 *
 * @param states the saved states of the wallets; of those without one, the address is looked up
 * @throws ServiceError or InvalidInputError of one of them, when none can be read.
 */
export async function readWallets(
	context: IPollFunctions,
	settings: TriggerSettings,
	states: WalletStates,
): Promise<ReadonlyMap<string, Observation>> {
	const { event } = settings;
	const reader = new WalletReader(context);
	const observe = async (id: string): Promise<Observation> =>
		event.name === 'contractValue'
			? await observeValue(reader, event)
			: await observeWallet(reader, id, event, states.get(id));
	const attempts = await Promise.all(
		startingAnywhere(settings.watchedIds).map(async (id) => await attempt(id, observe(id))),
	);
	const failures = attempts.flatMap((one) => ('failure' in one ? [one.failure] : []));
	const [one] = failures;
	if (one !== undefined && failures.length === attempts.length) throw one;
	for (const failure of failures) {
		const what = failure instanceof ServiceError ? failure.inOneSentence() : failure.message;
		context.logger.warn(`${context.getNode().name}: ${what}`);
	}
	return new Map(
		attempts.flatMap((one) => ('observation' in one ? [[one.id, one.observation]] : [])),
	);
}
