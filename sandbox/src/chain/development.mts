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

/**
 * Undoes the newest blocks and puts as many others in their place.
 *
 * @param options.comesBack whether the transactions of the undone blocks are in the other ones; otherwise those are empty
 */
export async function reorganise(
	provider: JsonRpcProvider,
	{ blocks, comesBack }: { blocks: number; comesBack: boolean },
): Promise<void> {
	const first = (await provider.getBlockNumber()) - blocks + 1;
	const pairs: [signed: string, place: number][] = [];
	for (let place = 0; comesBack && place < blocks; place++) {
		const signed = await signedIn(await blockAt(provider, first + place), provider);
		pairs.push(...signed.map((transaction): [string, number] => [transaction, place]));
	}
	await provider.send('anvil_reorg', [blocks, pairs]);
}
