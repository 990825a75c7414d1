import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { toNodeError } from '../request/failure/node-error';
import { ServiceError } from '../request/failure/service-error';
import { advanceWallets } from './observation';
import { triggerParameters } from './parameters';
import type { PollHistory, PollKind } from './poll-history';
import { historyOf } from './poll-history';
import { readWallets, walletReader, warn } from './read-wallets';
import type { TriggerSettings } from './settings';
import { readTriggerSettings } from './settings';
import type { WalletStates } from './state';
import { readState, revisionOf, writeState } from './state';

/** Key of the state in the node's static data. */
const STATE_KEY = 'wallets';

interface Poll {
	readonly kind: PollKind;
	readonly history: PollHistory;
}

/**
 * Reads all wallets, advances the state of those that could be read, and returns the new items. The state changes in a
 * single step at the end, because n8n may save it at any time for another trigger of the workflow.
 */
async function fetchNew(
	context: IPollFunctions,
	settings: TriggerSettings,
	{ kind, history }: Poll,
): Promise<INodeExecutionData[][] | null> {
	const { watchedIds, watched } = settings;
	const staticData = context.getWorkflowStaticData('node');
	const stored = staticData[STATE_KEY];
	const revision = revisionOf(stored);
	if (kind === 'reread' && history.isOutdated(revision)) return null;
	const before = readState(stored, watched);
	// On activation, addresses are looked up again: the service may have assigned a user another one.
	const known = kind === 'activation' ? withoutAddresses(before) : before;
	const observations = await readWallets(context, settings, known);
	const { after, items, mustBeSaved } = advanceWallets(before, observations, watchedIds);
	const unchanged = writeState(after, watched, revision);
	// n8n saves on every assignment, whether or not the value has changed.
	if (JSON.stringify(unchanged) !== JSON.stringify(stored))
		staticData[STATE_KEY] = { ...unchanged, revision: revision + 1 };
	// After an activation, n8n saves the state even if nothing is returned, unless the state is in a durable cursor, which
	// lacks `__dataChanged`. When in doubt, the state counts as unsaved: an extra execution does no harm.
	const isSaved = kind === 'activation' && '__dataChanged' in staticData;
	// Otherwise n8n saves the state only with an execution; without items, it starts no node after the trigger.
	const isGiven = items.length > 0 || (mustBeSaved && !isSaved);
	if (isGiven || isSaved) history.noteGiven(revisionOf(staticData[STATE_KEY]));
	return isGiven ? [items.map(({ json }) => ({ json }))] : null;
}

/** The states of wallets whose address is looked up again. */
const withoutAddresses = (states: WalletStates): WalletStates =>
	new Map([...states].map(([id, state]) => [id, { ...state, address: undefined }]));

/** Fetches the item for "Fetch test event": the latest real one, or a made-up example. The state is not changed. */
async function fetchSample(
	context: IPollFunctions,
	settings: TriggerSettings,
): Promise<INodeExecutionData[]> {
	const observations = await readWallets(context, settings, new Map());
	const { watchedIds, event } = settings;
	const samples = watchedIds.flatMap((id) => observations.get(id)?.sample() ?? []);
	const latest = samples.sort((one, other) => one.time - other.time).at(-1);
	const [userId = ''] = watchedIds;
	const json = latest?.json ?? (await event.example?.(await walletReader(context), userId));
	return json === undefined ? [] : [{ json }];
}

/** Activations that resume triggers: after a start of n8n, or a change of leader. */
const RESUMING = new Set<string>(['init', 'leadershipChange']);

/** Polls once. @param poll absent for a test in the editor */
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
 * Polls the service for changes since the last poll. In the editor, it fetches a sample instead.
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
