import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { exampleTransfer } from './example-item';
import { readWallets } from './read-wallets';
import type { TriggerSettings } from './settings';

/**
 * The item of "Fetch test event": the latest real one, or a made-up example. The state is not changed.
 *
 * @throws ServiceError or InvalidInputError when no wallet can be read.
 */
export async function fetchSample(
	context: IPollFunctions,
	settings: TriggerSettings,
): Promise<INodeExecutionData[]> {
	const observations = await readWallets(context, settings, new Map());
	const { watchedIds } = settings;
	const samples = watchedIds.flatMap((id) => observations.get(id)?.sample() ?? []);
	const latest = samples.sort((one, other) => one.time - other.time).at(-1);
	const [userId = ''] = watchedIds;
	return [{ json: latest?.json ?? exampleTransfer(userId) }];
}
