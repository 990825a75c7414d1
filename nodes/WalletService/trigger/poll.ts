import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { toNodeError } from '../request/node-error';
import { exampleTransfer } from './example-item';
import { observeAll } from './observe-all';
import type { TriggerSettings } from './settings';
import { readTriggerSettings } from './settings';
import { readState, writeState } from './state';
import { takeIn } from './take-in';

/** Where in the node's static data the state stands. */
const STATE_KEY = 'wallets';

/** Activations in which n8n takes up again what was active before: after its own start, or a change of leader. */
const RESUMING = new Set(['init', 'leadershipChange']);

/** Contexts that have polled; n8n uses one from an activation to the next. */
const polled = new WeakSet<object>();
/** Contexts with a poll under way. */
const polling = new WeakSet<object>();

/** The item of "Fetch test event": the latest real one. The state is left alone. */
async function fetchSample(
	context: IPollFunctions,
	settings: TriggerSettings,
): Promise<INodeExecutionData[]> {
	const observations = await observeAll(context, settings, new Map());
	const samples = [...observations.values()].flatMap((one) => one.sample() ?? []);
	const latest = samples.sort((one, other) => one.time - other.time).at(-1);
	const [userId = ''] = settings.userIds;
	return [{ json: latest?.json ?? exampleTransfer(userId) }];
}

/**
 * Asks for all wallets, moves the state of those that answered, and gives what is new.
 *
 * @param isFirst whether n8n saves the state after this poll anyway, because it belongs to an activation
 * @returns `null` when there is nothing new and nothing to save
 */
async function fetchNew(
	context: IPollFunctions,
	settings: TriggerSettings,
	isFirst: boolean,
): Promise<INodeExecutionData[][] | null> {
	const { userIds, watched } = settings;
	const staticData = context.getWorkflowStaticData('node');
	const before = readState(staticData[STATE_KEY], watched);
	const observations = await observeAll(context, settings, before);
	const { after, items, isWorthSaving } = takeIn(before, observations, userIds);
	const state = writeState(after, watched);
	// n8n saves whatever was assigned to, changed or not.
	if (JSON.stringify(state) !== JSON.stringify(staticData[STATE_KEY]))
		staticData[STATE_KEY] = state;
	if (items.length > 0) return [items.map(({ json }) => ({ json }))];
	// n8n keeps the state only together with an execution; one without items starts no node behind the trigger.
	return isWorthSaving && !isFirst ? [[]] : null;
}

async function pollOnce(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const isFirst = !polled.has(context);
	polled.add(context);
	try {
		const settings = await readTriggerSettings(context);
		if (context.getMode() === 'manual') return [await fetchSample(context, settings)];
		return await fetchNew(context, settings, isFirst);
	} catch (error) {
		const nodeError = toNodeError(error, { node: context.getNode() });
		if (!isFirst || !RESUMING.has(context.getActivationMode())) throw nodeError;
		// An error here would switch the trigger off until n8n tries again, less and less often.
		context.logger.warn(`${context.getNode().name}: ${nodeError.message}`);
		return null;
	}
}

/**
 * Polls the service for what is new since the last poll. In the editor it fetches a sample instead.
 *
 * @throws NodeApiError or NodeOperationError when no wallet can be read, or a parameter is not right.
 */
export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	// n8n starts polls by the clock. A second one at the same time would find the same things new.
	if (polling.has(this)) return null;
	polling.add(this);
	try {
		return await pollOnce(this);
	} finally {
		polling.delete(this);
	}
}
