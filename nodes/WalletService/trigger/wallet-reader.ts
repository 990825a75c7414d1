import type { IPollFunctions } from 'n8n-workflow';

import { activeCredentialType } from '../request/credential/active-credential';
import { ServiceClient } from '../request/http/service-client';
import { parameterReader } from '../request/run/read-parameter';
import { Run } from '../request/run/run';
import { monotonicMs } from '../values/clock';
import { triggerParameters } from './parameters';

/** What a poll reads wallets and contracts with. */
export interface WalletReader {
	readonly context: IPollFunctions;
	readonly run: Run;
	readonly client: ServiceClient;
}

/**
 * Sends a bounded number of requests at a time, with retries, and all of them within the time that n8n allows a poll.
 *
 * @throws InvalidInputError when the node's options are invalid.
 */
export function walletReader(context: IPollFunctions): WalletReader {
	const read = parameterReader(context, triggerParameters);
	// Milliseconds after which n8n abandons a poll and its results; an n8n that never does has no such function.
	const limited: Partial<Pick<IPollFunctions, 'getPollBudgetMs'>> = context;
	const endsAt = monotonicMs() + (limited.getPollBudgetMs?.() ?? Infinity);
	const credentialType = activeCredentialType(context);
	const run = new Run((name) => read(name, {}), { credentialType, endsAt });
	if (run.invalidOptions !== undefined) throw run.invalidOptions;
	return { context, run, client: new ServiceClient(context, run) };
}
