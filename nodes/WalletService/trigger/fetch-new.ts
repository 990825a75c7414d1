import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { advanceWallets } from './advance-wallets';
import { isOutdated, noteGiven } from './given-states';
import type { PollKind } from './poll-kind';
import { readWallets } from './read-wallets';
import type { TriggerSettings } from './settings';
import { readState, revisionOf, writeState } from './state';

/** Where in the node's static data the state stands. */
const STATE_KEY = 'wallets';

/** One poll of one trigger. */
export interface Poll {
	/** Stands for the trigger in this n8n. */
	readonly trigger: string;
	readonly kind: PollKind;
}

/**
 * Whether n8n saves the state although the poll gives nothing. If it cannot be told, it does not: an execution too many
 * does no harm. Where n8n keeps a durable cursor, an activation does not save it; a cursor is not observed for changes,
 * as static data is.
 */
function isSavedAnyway({ kind }: Poll, staticData: IDataObject): boolean {
	return kind === 'activation' && '__dataChanged' in staticData;
}

/**
 * Asks for all wallets, moves the state of those that answered, and gives what is new. The state is changed in one go, at
 * the end: n8n may save it at any time, for another trigger of the workflow.
 *
 * @returns `null` when there is nothing new and nothing to save
 * @throws ServiceError or InvalidInputError when no wallet can be read.
 */
export async function fetchNew(
	context: IPollFunctions,
	settings: TriggerSettings,
	poll: Poll,
): Promise<INodeExecutionData[][] | null> {
	const { userIds, watched } = settings;
	const staticData = context.getWorkflowStaticData('node');
	const stored = staticData[STATE_KEY];
	const revision = revisionOf(stored);
	if (poll.kind === 'anew' && isOutdated(poll.trigger, revision)) return null;
	const before = readState(stored, watched);
	const observations = await readWallets(context, settings, before);
	const { after, items, mustBeSaved } = advanceWallets(before, observations, userIds);
	const unchanged = writeState(after, watched, revision);
	// n8n saves whatever was assigned to, changed or not.
	if (JSON.stringify(unchanged) !== JSON.stringify(stored))
		staticData[STATE_KEY] = { ...unchanged, revision: revision + 1 };
	const isSaved = isSavedAnyway(poll, staticData);
	// n8n keeps the state only together with an execution; one without items starts no node behind the trigger.
	const isGiven = items.length > 0 || (mustBeSaved && !isSaved);
	if (isGiven || isSaved) noteGiven(poll.trigger, revisionOf(staticData[STATE_KEY]));
	return isGiven ? [items.map(({ json }) => ({ json }))] : null;
}
