import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { readWallets } from './read-wallets';
import type { TriggerSettings } from './settings';

/** The address that nobody owns. */
const NO_ADDRESS = `0x${'0'.repeat(40)}`;

/** A made-up transfer in the form of a real one, to build a workflow with. */
function exampleTransfer(userId: string): IDataObject {
	return {
		timestamp: '2000-01-01T00:00:00.000Z',
		direction: 'received',
		amount: '1.5',
		symbol: 'EXAMPLE',
		who: null,
		explorerUrl: '',
		toAddress: NO_ADDRESS,
		tokenAddress: NO_ADDRESS,
		hash: `0x${'0'.repeat(64)}`,
		userId,
		gapPossible: false,
		sample: 'A made-up example: no transfer of the watched wallets matches yet',
	};
}

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
