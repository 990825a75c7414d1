/** Commands that only a development chain (anvil) takes: it does at once what real chains do in their own time. */
import { toQuantity, type Block, type JsonRpcProvider } from 'ethers';

/**
 * Whether a chain makes a block for each transaction at once.
 *
 * @returns undefined for a chain that is no development chain
 */
export async function minesAtOnce(provider: JsonRpcProvider): Promise<boolean | undefined> {
	try {
		return (await provider.send('anvil_getAutomine', [])) === true;
	} catch {
		// Other chains do not know the question.
		return undefined;
	}
}

/** Makes a block every so many seconds from now on, and none at other times. */
export async function mineEvery(provider: JsonRpcProvider, seconds: number): Promise<void> {
	await provider.send('evm_setIntervalMining', [seconds]);
}

/**
 * Makes blocks now; the first holds all transactions that wait for one.
 *
 * @param options.seconds by how much the chain's clock is put forward first
 */
export async function mine(
	provider: JsonRpcProvider,
	{ blocks, seconds }: { blocks: number; seconds: number },
): Promise<void> {
	if (seconds > 0) await provider.send('evm_increaseTime', [seconds]);
	await provider.send('anvil_mine', [toQuantity(blocks)]);
}

async function blockAt(provider: JsonRpcProvider, number: number): Promise<Block> {
	const block = await provider.getBlock(number);
	if (!block) throw new Error(`The chain has no block ${number}`);
	return block;
}

/** The transactions of a block, as they were signed. */
async function signedIn({ transactions }: Block, provider: JsonRpcProvider): Promise<string[]> {
	const signed = transactions.map((hash) => provider.send('eth_getRawTransactionByHash', [hash]));
	return (await Promise.all(signed)).map(String);
}

/** By how many seconds the chain's clock is ahead of this machine's; below 0 when it is behind. */
async function clockAhead(provider: JsonRpcProvider): Promise<number> {
	return Number(await provider.send('evm_increaseTime', [0]));
}

/**
 * Undoes the newest blocks and puts as many others in their place, at even intervals over the same time. The chain's
 * clock goes on as before: anvil alone would put it back to the time of the last block that stays.
 *
 * @param options.comesBack whether the transactions of the undone blocks are in the other ones; otherwise those are empty
 */
export async function reorganise(
	provider: JsonRpcProvider,
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
