import type { Provider } from 'ethers';
import {
	type History,
	type Page,
	type PageRequest,
} from '../../../service/src/history/history.mts';
import type { HistorySettings } from '../conditions.mts';

/** Time of a block, in seconds. */
async function timeOf(provider: Provider, block: string | number): Promise<number> {
	const found = await provider.getBlock(block);
	if (!found) throw new Error(`The chain has no block ${block}`);
	return found.timestamp;
}

/**
 * The newest block listed by a history that lags behind the chain. A block's age is measured from now, or from the
 * time of the newest block if that is later: the clock of a development chain can be ahead.
 *
 * @returns the block's number; below 0 if no block is listed
 */
async function newestListed(
	provider: Provider,
	{ lagBlocks, lagSeconds }: { lagBlocks: number; lagSeconds: number },
): Promise<number> {
	const head = await provider.getBlockNumber();
	const newest = head - lagBlocks;
	if (lagSeconds === 0 || newest < 0) return newest;
	const latestTime = Math.max(Date.now() / 1000, await timeOf(provider, head)) - lagSeconds;
	// Block times never decrease, so a binary search finds the last block that is old enough.
	let [known, unknown] = [-1, newest + 1];
	while (unknown - known > 1) {
		const middle = Math.floor((known + unknown) / 2);
		if ((await timeOf(provider, middle)) <= latestTime) known = middle;
		else unknown = middle;
	}
	return known;
}

/** The history of the service, read up to the newest block before each answer, of which a test hides the newest blocks. */
export class LaggingHistory {
	readonly #history: Pick<History, 'page' | 'catchUp'>;
	readonly #provider: Provider;
	readonly #settings: () => HistorySettings;

	constructor(
		history: Pick<History, 'page' | 'catchUp'>,
		provider: Provider,
		settings: () => HistorySettings,
	) {
		this.#history = history;
		this.#provider = provider;
		this.#settings = settings;
	}

	async page(walletId: number, { limit = Infinity, before }: PageRequest): Promise<Page> {
		const settings = this.#settings();
		if (settings.limit === 0) return { rows: [], hasMore: false };
		await this.#history.catchUp();
		const newest = await newestListed(this.#provider, settings);
		const top = { block: newest + 1, log_index: 0, part: 0 };
		const isBelow = before !== undefined && before.block <= newest;
		return await this.#history.page(walletId, {
			limit: Math.min(limit, settings.limit),
			before: isBelow ? before : top,
		});
	}
}
