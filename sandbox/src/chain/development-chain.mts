import { isIP } from 'node:net';
import { parseEther } from 'ethers';
import { Endpoints } from '../../../service/src/rpc/endpoints.mts';
import type { EndpointFailure } from '../../../service/src/rpc/failures.mts';
import type { Network } from '../../../service/src/rpc/networks.mts';
import type { Inclusion } from '../../../service/src/store/open-writes.mts';
import { receiptIn } from '../../../service/src/rpc/blocks.mts';
import type { Anvil } from './anvil.mts';
import { minesAtOnce } from './development.mts';
import { EndpointProvider } from './endpoint-provider.mts';

/** The network of the sandbox. Its chain has no reorganisations of its own, so every block is final. */
export const SANDBOX_NETWORK: Network = {
	name: 'sandbox',
	symbol: 'ETH',
	coin: 'Ether',
	depth: 0,
	minTip: 0n,
	maxGasCost: parseEther('1'),
};

/** Time limit for an answer, in milliseconds: the only endpoint may be slow on a busy machine. */
const TIME_LIMIT_MS = 60_000;

/** A development chain on this machine. */
export interface DevelopmentChain {
	endpoints: Endpoints;
	provider: EndpointProvider;
	rpcUrl: string;
	/**
	 * Sends a signed transaction. If the chain mines each transaction immediately, resolves once it is in a block, so that its
	 * effect can be read as soon as the hash is known.
	 *
	 * @returns true if the chain has the transaction, or the block that has it, or why the chain does not have it
	 */
	broadcast(raw: string, hash: string): Promise<true | Inclusion | readonly EndpointFailure[]>;
	/** Resolves when the sandbox's own chain has ended; never for a chain given by URL. */
	ended: Promise<void>;
	/** Closes the connection, and ends the chain if the sandbox started it. */
	stop(): Promise<void>;
}

/** Whether a URL names this machine. */
function isLocal(url: string): boolean {
	const host = URL.parse(url)?.hostname.replace(/^\[|\]$/g, '') ?? '';
	return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/**
 * Connects to the sandbox's own chain, or to a development chain on this machine. The keys and access tokens of the sandbox are
 * public, so anybody could spend what they hold on any other chain.
 *
 * @param target the chain, or its URL
 * @throws Error if no chain answers there, or it is not a development chain on this machine
 */
export async function connectTo(target: Anvil | string): Promise<DevelopmentChain> {
	const anvil = typeof target === 'string' ? undefined : target;
	const url = typeof target === 'string' ? target : target.rpcUrl;
	if (!isLocal(url)) {
		throw new Error(
			`RPC_URL must be a development chain on this machine: the sandbox's keys are public. For ${URL.parse(url)?.host ?? 'another chain'}, run the wallet service`,
		);
	}
	const endpoints = await Endpoints.connect([url], { limitMs: TIME_LIMIT_MS }).catch(
		(cause: unknown) => {
			throw new Error(`No chain answers at ${url}`, { cause });
		},
	);
	const provider = new EndpointProvider(endpoints, SANDBOX_NETWORK.name);
	if ((await minesAtOnce(provider)) === undefined) {
		throw new Error(`The chain at ${url} is not a development chain such as anvil`);
	}
	return {
		endpoints,
		provider,
		rpcUrl: url,
		async broadcast(raw, hash) {
			// Read each time, because the mining mode can change at any time.
			if ((await minesAtOnce(provider)) === true) {
				// `eth_sendRawTransaction` may return before the block is mined; the other method (EIP-7966) waits for it.
				const answer = endpoints.call('eth_sendRawTransactionSync', [raw]);
				const receipt = await answer.then(receiptIn, () => undefined);
				if (receipt?.hash === hash) return { ...receipt, status: receipt.status ?? null };
			}
			return await endpoints.broadcast(raw, hash);
		},
		ended: anvil?.ended ?? new Promise(() => undefined),
		async stop() {
			provider.destroy();
			await anvil?.stop();
		},
	};
}
