import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { toNodeError } from '../request/failure/node-error';
import { ServiceError } from '../request/failure/service-error';
import type { Poll } from './fetch-new';
import { fetchNew } from './fetch-new';
import { fetchSample } from './fetch-sample';
import { triggerParameters } from './parameters';
import { takeKind } from './poll-kind';
import { readTriggerSettings } from './settings';

/** Activations in which n8n resumes triggers that were active before: after its own start, or a change of leader. */
const RESUMING = new Set<string>(['init', 'leadershipChange']);

/** Triggers with a poll in progress, by name: the durable scheduler creates a new context for each poll. */
const polling = new Set<string>();

/** Identifies one trigger in this n8n: like n8n's static data, by the name of the node within its workflow. */
function nameOf(context: IPollFunctions): string {
	return JSON.stringify([context.getWorkflow().id, context.getNode().name]);
}

function failureOf(error: unknown, context: IPollFunctions): ReturnType<typeof toNodeError> {
	return toNodeError(error, { node: context.getNode(), parameters: triggerParameters });
}

async function fetchTest(context: IPollFunctions): Promise<INodeExecutionData[][]> {
	try {
		return [await fetchSample(context, await readTriggerSettings(context))];
	} catch (error) {
		throw failureOf(error, context);
	}
}

async function pollOnce(
	context: IPollFunctions,
	one: Poll,
): Promise<INodeExecutionData[][] | null> {
	try {
		return await fetchNew(context, await readTriggerSettings(context), one);
	} catch (error) {
		const nodeError = failureOf(error, context);
		const isResuming = one.kind === 'activation' && RESUMING.has(context.getActivationMode());
		if (!isResuming) throw nodeError;
		// After an error here, n8n would deactivate the trigger and retry at growing intervals.
		const what = error instanceof ServiceError ? error.inOneSentence() : nodeError.message;
		context.logger.warn(`${context.getNode().name}: ${what}`);
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
	// A test in the editor does not change the state, so it neither waits for other polls nor blocks them.
	if (this.getMode() === 'manual') return await fetchTest(this);
	const trigger = nameOf(this);
	const kind = takeKind(trigger, this);
	// n8n starts polls on a schedule. A second one at the same time would return the same items.
	if (polling.has(trigger)) return null;
	polling.add(trigger);
	try {
		return await pollOnce(this, { trigger, kind });
	} finally {
		polling.delete(trigger);
	}
}
