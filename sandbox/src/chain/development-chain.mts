import { isIP } from 'node:net';
import { EndpointProvider } from '../../../service/src/rpc/provider.mts';
import { Endpoints } from '../../../service/src/rpc/endpoints.mts';
import type { Network } from '../../../service/src/rpc/networks.mts';
import { startAnvil } from './anvil.mts';
import { minesAtOnce } from './development.mts';

/** The network of the sandbox. Its chain has no reorganisations of its own, so every block is final. */
export const SANDBOX_NETWORK: Network = {
	name: 'sandbox',
	symbol: 'ETH',
	coin: 'Ether',
	depth: 0,
	minTip: 0n,
};

/** A development chain on this machine. */
export interface DevelopmentChain {
	endpoints: Endpoints;
	provider: EndpointProvider;
	rpcUrl: string;
	/**
	 * Sends a signed transaction. If the chain mines each transaction immediately, resolves once it is in a block, so that its
	 * effect can be read as soon as the hash is known.
	 *
	 * @returns whether the chain has the transaction
	 */
	broadcast(raw: string, hash: string): Promise<boolean>;
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
 * Starts a chain, or connects to a development chain on this machine. The keys and access tokens of the sandbox are public, so
 * anybody could spend what they hold on any other chain.
 *
 * @throws Error if no chain answers at `rpcUrl`, or it is not a development chain on this machine
 */
export async function openChain(rpcUrl: string | undefined): Promise<DevelopmentChain> {
	if (rpcUrl !== undefined && !isLocal(rpcUrl)) {
		throw new Error(
			`RPC_URL must be a development chain on this machine: the sandbox's keys are public. For ${URL.parse(rpcUrl)?.host ?? 'another chain'}, run the wallet service`,
		);
	}
	const anvil = rpcUrl === undefined ? await startAnvil() : undefined;
	const url = anvil?.rpcUrl ?? rpcUrl ?? '';
	const endpoints = await Endpoints.connect([url]).catch((cause: unknown) => {
		throw new Error(`No chain answers at ${url}`, { cause });
	});
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
				const sent = provider.send('eth_sendRawTransactionSync', [raw]);
				if (
					await sent.then(
						() => true,
						() => false,
					)
				)
					return true;
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
