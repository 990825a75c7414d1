import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { advanceWallets } from './observation';
import type { PollHistory, PollKind } from './poll-history';
import { readWallets } from './read-wallets';
import type { TriggerSettings } from './settings';
import { readState, revisionOf, writeState } from './state';

/** Key of the state in the node's static data. */
const STATE_KEY = 'wallets';

/** One poll of one trigger. */
export interface Poll {
	readonly kind: PollKind;
	readonly history: PollHistory;
}

/**
 * Whether n8n saves the state even if the poll returns nothing. When in doubt, it is assumed not to: an extra execution
 * does no harm. Where n8n keeps a durable cursor, an activation does not save it; unlike static data, a cursor is not
 * observed for changes, by which the two are distinguished.
 */
function isSavedAnyway(kind: PollKind, staticData: IDataObject): boolean {
	return kind === 'activation' && '__dataChanged' in staticData;
}

/**
 * Reads all wallets, advances the state of those that could be read, and returns what is new. The state is changed at once,
 * at the end: n8n may save it at any time, for another trigger of the workflow.
 *
 * @returns `null` when there is nothing new and nothing to save
 * @throws ServiceError or InvalidInputError when no wallet can be read.
 */
export async function fetchNew(
	context: IPollFunctions,
	settings: TriggerSettings,
	{ kind, history }: Poll,
): Promise<INodeExecutionData[][] | null> {
	const { watchedIds, watched } = settings;
	const staticData = context.getWorkflowStaticData('node');
	const stored = staticData[STATE_KEY];
	const revision = revisionOf(stored);
	if (kind === 'anew' && history.isOutdated(revision)) return null;
	const before = readState(stored, watched);
	// Of each wallet, the address is looked up again: the service may have given the user another one.
	const known = kind === 'activation' ? new Map() : before;
	const observations = await readWallets(context, settings, known);
	const { after, items, mustBeSaved } = advanceWallets(before, observations, watchedIds);
	const unchanged = writeState(after, watched, revision);
	// n8n saves on every assignment, whether or not the value has changed.
	if (JSON.stringify(unchanged) !== JSON.stringify(stored))
		staticData[STATE_KEY] = { ...unchanged, revision: revision + 1 };
	const isSaved = isSavedAnyway(kind, staticData);
	// n8n saves the state only with an execution; one without items starts no node after the trigger.
	const isGiven = items.length > 0 || (mustBeSaved && !isSaved);
	if (isGiven || isSaved) history.noteGiven(revisionOf(staticData[STATE_KEY]));
	return isGiven ? [items.map(({ json }) => ({ json }))] : null;
}
