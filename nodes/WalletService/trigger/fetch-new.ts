import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { observeAll } from './observe-all';
import type { TriggerSettings } from './settings';
import { readState, writeState } from './state';
import { takeIn } from './take-in';

/** Where in the node's static data the state stands. */
const STATE_KEY = 'wallets';

/**
 * Whether n8n saves the state although the poll gives nothing, which it does at the end of an activation. In doubt it
 * does not: then the poll gives an execution too many, but nothing is lost. Polls of the durable scheduler cannot be
 * told from the first one after an update; and where n8n keeps a durable cursor, which is not an object that it
 * observes for changes as it does the static data, the end of an activation does not save it.
 */
function isSavedAnyway(
	context: IPollFunctions,
	isFirst: boolean,
	staticData: IDataObject,
): boolean {
	return isFirst && context.getActivationMode() !== 'update' && '__dataChanged' in staticData;
}

/**
 * Asks for all wallets, moves the state of those that answered, and gives what is new. The state is changed in one go, at
 * the end: n8n may save it at any time, for another trigger of the workflow.
 *
 * @param isFirst whether the context has not polled before
 * @returns `null` when there is nothing new and nothing to save
 * @throws CallFailure or InvalidInput when no wallet can be read.
 */
export async function fetchNew(
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
	return isWorthSaving && !isSavedAnyway(context, isFirst, staticData) ? [[]] : null;
}
