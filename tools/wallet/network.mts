/** A chain that stands for the network, with a contract that counts how often each payload was executed. */
import { getAddress, JsonRpcProvider, parseEther, toQuantity } from 'ethers';
import { startAnvil } from '../../sandbox/src/chain/anvil.mts';

/** The contract that counts. */
export const LEDGER = getAddress(`0x${'1ed6e4'.padStart(40, '0')}`);

/** `pay(bytes32 id)`: adds 1 to the storage slot `id`. */
export const LEDGER_CODE = '0x6004358054600101905500';

export interface Network extends AsyncDisposable {
	rpcUrl: string;
	provider: JsonRpcProvider;
	/** Gives a wallet native coin. */
	fund(address: string): Promise<void>;
	/** How often the call with a payload was executed. */
	executions(payload: string): Promise<number>;
}

/** @param blockSeconds seconds between two blocks; 0 to mine each transaction immediately */
export async function startNetwork(blockSeconds: number): Promise<Network> {
	const anvil = await startAnvil();
	const provider = new JsonRpcProvider(anvil.rpcUrl, undefined, { cacheTimeout: -1 });
	await provider.send('anvil_setCode', [LEDGER, LEDGER_CODE]);
	if (blockSeconds > 0) await provider.send('evm_setIntervalMining', [blockSeconds]);
	return {
		rpcUrl: anvil.rpcUrl,
		provider,
		async fund(address) {
			await provider.send('anvil_setBalance', [address, toQuantity(parseEther('1000'))]);
		},
		executions: async (payload) => Number(await provider.getStorage(LEDGER, payload)),
		async [Symbol.asyncDispose]() {
			provider.destroy();
			await anvil.stop();
		},
	};
}
