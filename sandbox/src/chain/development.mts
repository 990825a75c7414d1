/** Commands that only a development chain (anvil) supports, for events that take time on a real chain. */
import { toQuantity, type Block, type JsonRpcApiProvider } from 'ethers';

/**
 * Whether a chain mines each transaction immediately.
 *
 * @returns undefined for a chain that is not a development chain
 */
export async function minesAtOnce(provider: JsonRpcApiProvider): Promise<boolean | undefined> {
	try {
		return (await provider.send('anvil_getAutomine', [])) === true;
	} catch {
		// Other chains do not support this method.
		return undefined;
	}
}

/** Sets the interval between blocks, in seconds; the chain mines no other blocks. */
export async function mineEvery(provider: JsonRpcApiProvider, seconds: number): Promise<void> {
	await provider.send('evm_setIntervalMining', [seconds]);
}

/**
 * Mines blocks immediately; the first contains all pending transactions.
 *
 * @param options.seconds number of seconds by which the chain's clock is moved forward first
 */
export async function mine(
	provider: JsonRpcApiProvider,
	{ blocks, seconds }: { blocks: number; seconds: number },
): Promise<void> {
	if (seconds > 0) await provider.send('evm_increaseTime', [seconds]);
	await provider.send('anvil_mine', [toQuantity(blocks)]);
}

async function blockAt(provider: JsonRpcApiProvider, number: number): Promise<Block> {
	const block = await provider.getBlock(number);
	if (!block) throw new Error(`The chain has no block ${number}`);
	return block;
}

/** Reads the signed transactions of a block. */
async function signedIn({ transactions }: Block, provider: JsonRpcApiProvider): Promise<string[]> {
	const signed = transactions.map((hash) => provider.send('eth_getRawTransactionByHash', [hash]));
	return (await Promise.all(signed)).map(String);
}

/** Seconds by which the chain's clock is ahead of this machine's; negative if it is behind. */
async function clockAhead(provider: JsonRpcApiProvider): Promise<number> {
	return Number(await provider.send('evm_increaseTime', [0]));
}

/**
 * Undoes the newest blocks and replaces them with the same number of new ones, at even intervals over the same period.
 * Keeps the chain's clock running: anvil alone would set it back to the time of the last remaining block.
 *
 * @param options.comesBack whether the new blocks contain the transactions of the undone ones; otherwise they are empty
 */
export async function reorganise(
	provider: JsonRpcApiProvider,
	{ blocks, comesBack }: { blocks: number; comesBack: boolean },
): Promise<void> {
	if (blocks === 0) return;
	const head = await provider.getBlockNumber();
	const undone = await Promise.all(
		Array.from({ length: blocks }, (_unused, place) =>
			blockAt(provider, head - blocks + 1 + place),
		),
	);
	const pairs: [signed: string, place: number][] = [];
	for (const [place, block] of comesBack ? undone.entries() : []) {
		for (const signed of await signedIn(block, provider)) pairs.push([signed, place]);
	}
	const [newest, staying] = [await blockAt(provider, head), await blockAt(provider, head - blocks)];
	const between = Math.floor((newest.timestamp - staying.timestamp) / blocks);
	const ahead = await clockAhead(provider);
	await provider.send('anvil_setBlockTimestampInterval', [between]);
	await provider.send('anvil_reorg', [blocks, pairs]);
	await provider.send('anvil_removeBlockTimestampInterval', []);
	const putBack = ahead - (await clockAhead(provider));
	if (putBack > 0) await provider.send('evm_increaseTime', [putBack]);
}
