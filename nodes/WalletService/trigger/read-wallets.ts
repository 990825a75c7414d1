import type { IPollFunctions } from 'n8n-workflow';

import { activeCredentialType } from '../request/credential/active-credential';
import { ServiceError } from '../request/failure/service-error';
import { ServiceClient } from '../request/http/service-client';
import { parameterReader } from '../request/run/read-parameter';
import { startRun } from '../request/run/run';
import { monotonicMs } from '../values/clock';
import { InvalidInputError } from '../values/invalid-input';
import { inOneLine } from '../values/quote';
import { settle } from '../values/settle';
import type { Observation } from './observation';
import { triggerParameters } from './parameters';
import type { TriggerSettings } from './settings';
import type { WalletStates } from './state';

/**
 * Creates the context of a poll's requests, with retries, bounded concurrency, and n8n's time limit.
 *
 * @throws InvalidInputError when the node's options, or the credential's Connection, are invalid.
 */
export async function walletReader(context: IPollFunctions): Promise<ServiceClient> {
	const read = parameterReader(context, triggerParameters);
	// n8n abandons a poll and its results after this time.
	const endsAt = monotonicMs() + context.getPollBudgetMs();
	const credentialType = activeCredentialType(context);
	const run = await startRun(context, (name) => read(name, {}), { credentialType, endsAt });
	if (run.invalidOptions !== undefined) throw run.invalidOptions;
	return new ServiceClient(context, run);
}

/** Logs a failure that does not end the poll. */
export function warn(context: IPollFunctions, error: Error): void {
	const what = error instanceof ServiceError ? error.inOneSentence() : error.message;
	context.logger.warn(inOneLine(`${context.getNode().name}: ${what}`));
}

/** Rotates a list to a random start: if a poll is too short for all entries, each is still read in some polls. */
function startingAnywhere<T>(list: readonly T[]): T[] {
	const start = Math.floor(Math.random() * list.length);
	return [...list.slice(start), ...list.slice(0, start)];
}

/**
 * Reads all watched wallets, or the watched value. A wallet that cannot be read is logged and skipped.
 *
 * @param states the saved states of the wallets; without one, the address is looked up
 * @throws ServiceError or InvalidInputError of one of them, if none can be read.
 */
export async function readWallets(
	context: IPollFunctions,
	{ event, watchedIds }: TriggerSettings,
	states: WalletStates,
): Promise<ReadonlyMap<string, Observation>> {
	const client = await walletReader(context);
	const observations = new Map<string, Observation>();
	const failures: (ServiceError | InvalidInputError)[] = [];
	const attempt = async (id: string): Promise<void> => {
		const result = await settle(event.observe(client, id, states.get(id)));
		if (result.status === 'fulfilled') {
			observations.set(id, result.value);
			return;
		}
		const error: unknown = result.reason;
		if (error instanceof InvalidInputError) failures.push(error);
		else if (!(error instanceof ServiceError)) throw error;
		else failures.push(event.contract === undefined ? error.ofUser(id) : error);
	};
	await Promise.all(startingAnywhere(watchedIds).map(attempt));
	const [one] = failures;
	if (one !== undefined && observations.size === 0) throw one;
	for (const failure of failures) warn(context, failure);
	return observations;
}
