import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { toNodeError } from '../request/failure/node-error';
import { ServiceError } from '../request/failure/service-error';
import type { Poll } from './fetch';
import { fetchNew, fetchSample } from './fetch';
import { triggerParameters } from './parameters';
import { historyOf } from './poll-history';
import { warn } from './read-wallets';
import { readTriggerSettings } from './settings';

/** Activations in which n8n resumes triggers that were active before: after its own start, or a change of leader. */
const RESUMING = new Set<string>(['init', 'leadershipChange']);

/** @param poll absent for a test in the editor */
async function pollOnce(
	context: IPollFunctions,
	poll?: Poll,
): Promise<INodeExecutionData[][] | null> {
	try {
		const settings = await readTriggerSettings(context);
		if (poll === undefined) return [await fetchSample(context, settings)];
		return await fetchNew(context, settings, poll);
	} catch (error) {
		const place = { node: context.getNode(), parameters: triggerParameters };
		const nodeError = toNodeError(error, place);
		const isResuming = poll?.kind === 'activation' && RESUMING.has(context.getActivationMode());
		if (!isResuming) throw nodeError;
		// After an error here, n8n would deactivate the trigger and retry at growing intervals.
		warn(context, error instanceof ServiceError ? error : nodeError);
		return null;
	}
}

/**
 * Polls the service for what is new since the last poll. In the editor it fetches a sample instead.
 *
 * @returns `null` when there is nothing new, and while another poll of the same trigger is in progress
 * @throws NodeApiError or NodeOperationError when no wallet can be read, or a parameter is invalid.
 */
export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	// A test does not change the state, so it neither waits for other polls nor blocks them.
	if (this.getMode() === 'manual') return await pollOnce(this);
	const history = historyOf(this);
	return await history.pollAlone(this, async (kind) => await pollOnce(this, { kind, history }));
}
