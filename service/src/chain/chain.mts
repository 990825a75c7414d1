import { EndpointProvider } from '../rpc/provider.mts';
import type { Endpoints } from '../rpc/endpoints.mts';
import type { Network } from '../rpc/networks.mts';

/** The chain of the service, for reading. */
export interface Chain {
	provider: EndpointProvider;
	chainId: number;
	/** Network name, lower case. */
	network: string;
	nativeSymbol: string;
	nativeName: string;
	/** Block explorer of the network; undefined if the service's own pages take its place. */
	explorer: string | undefined;
	/** Whether there is a contract at an address. One that has been found stays. */
	hasContract(address: string): Promise<boolean>;
}

export function chainAt(endpoints: Endpoints, network: Network): Chain {
	const provider = new EndpointProvider(endpoints, network.name);
	const contracts = new Set<string>();
	return {
		provider,
		chainId: endpoints.identity.chainId,
		network: network.name,
		nativeSymbol: network.symbol,
		nativeName: network.coin,
		explorer: network.explorer,
		async hasContract(address) {
			if (contracts.has(address)) return true;
			const hasCode = (await provider.getCode(address)) !== '0x';
			if (hasCode) contracts.add(address);
			return hasCode;
		},
	};
}
