import { FetchRequest, JsonRpcProvider, Network } from 'ethers';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { startAnvil } from './anvil.mts';
import { minesAtOnce } from './development.mts';

/** The chain of the service. */
export interface Chain {
	provider: JsonRpcProvider;
	rpcUrl: string;
	chainId: number;
	/** Network name, lower case. */
	network: string;
	nativeSymbol: string;
	nativeName: string;
	/** Whether the chain supports the commands of a development chain. */
	isDevelopment: boolean;
	/** Whether there is a contract at an address. One that has been found stays, so its code is read only once. */
	hasContract(address: string): Promise<boolean>;
	/**
	 * Submits a signed transaction. On a chain that mines each transaction immediately, resolves once the transaction
	 * is in a block, so that its effect can be read as soon as the hash is known.
	 *
	 * @returns whether it succeeded; undefined if it is not in a block yet
	 */
	submit(signed: string): Promise<boolean | undefined>;
	/** Resolves when the service's own chain has ended; never for a chain given by URL. */
	ended: Promise<void>;
	/** Closes the connection and ends the chain if the service started it. */
	stop(): Promise<void>;
}

const Receipt = Compile(Type.Object({ status: Type.String() }));
const ChainIdAnswer = Compile(Type.Object({ result: Type.String({ pattern: '^0x[0-9a-f]+$' }) }));

async function readChainId(rpcUrl: string): Promise<number> {
	const request = new FetchRequest(rpcUrl);
	request.body = { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] };
	try {
		const answer = await request.send();
		return Number(ChainIdAnswer.Parse(answer.bodyJson).result);
	} catch (cause) {
		throw new Error(`No chain answers at ${rpcUrl}`, { cause });
	}
}

/**
 * Connects to the chain at `rpcUrl`, or starts one that runs as long as the service.
 *
 * @throws Error if no chain answers at `rpcUrl`
 */
export async function openChain(rpcUrl: string | undefined): Promise<Chain> {
	const anvil = rpcUrl === undefined ? await startAnvil() : undefined;
	const url = anvil?.rpcUrl ?? rpcUrl ?? '';
	const chainId = await readChainId(url);
	// Answers must reflect the chain's current state, so nothing is cached; simultaneous requests still go out as one batch.
	const provider = new JsonRpcProvider(url, new Network('sandbox', chainId), {
		staticNetwork: true,
		batchStallTime: 0,
		cacheTimeout: -1,
		pollingInterval: 100,
	});
	const isDevelopment = (await minesAtOnce(provider)) !== undefined;
	const found = new Set<string>();
	return {
		provider,
		rpcUrl: url,
		chainId,
		network: 'sandbox',
		nativeSymbol: 'ETH',
		nativeName: 'Ether',
		isDevelopment,
		async hasContract(address) {
			if (!found.has(address) && (await provider.getCode(address)) !== '0x') found.add(address);
			return found.has(address);
		},
		async submit(signed) {
			// Read each time, because the mining mode of a development chain can change at any time.
			const isMinedAtOnce = isDevelopment && (await minesAtOnce(provider)) === true;
			// `eth_sendRawTransaction` may return before the block is mined; the other method (EIP-7966) waits for it.
			const method = isMinedAtOnce ? 'eth_sendRawTransactionSync' : 'eth_sendRawTransaction';
			const answer: unknown = await provider.send(method, [signed]);
			return isMinedAtOnce ? Receipt.Parse(answer).status !== '0x0' : undefined;
		},
		ended: anvil?.ended ?? new Promise(() => undefined),
		async stop() {
			provider.destroy();
			await anvil?.stop();
		},
	};
}
