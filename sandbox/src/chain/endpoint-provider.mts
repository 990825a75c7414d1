import { JsonRpcApiProvider, Network } from 'ethers';
import type { JsonRpcError, JsonRpcPayload, JsonRpcResult } from 'ethers';
import type { Endpoints } from '../../../service/src/rpc/endpoints.mts';
import { ContractRefusal } from '../../../service/src/rpc/failures.mts';

/** ethers' functions over the endpoint of a development chain, which is anvil. Nothing is cached. */
export class EndpointProvider extends JsonRpcApiProvider {
	readonly #endpoints: Endpoints;

	constructor(endpoints: Endpoints, name: string) {
		const network = new Network(name, endpoints.identity.chainId);
		super(network, { staticNetwork: network, cacheTimeout: -1, pollingInterval: 100 });
		this.#endpoints = endpoints;
	}

	/** Without ethers' own queue, which adds a delay: the endpoints put requests together. */
	override async send(method: string, params: JsonRpcPayload['params']): Promise<unknown> {
		try {
			return await this.#endpoints.call(method, params);
		} catch (error) {
			if (!(error instanceof ContractRefusal)) throw error;
			const problem = { code: 3, message: 'execution reverted', data: error.data };
			const payload: JsonRpcPayload = { id: 0, jsonrpc: '2.0', method, params };
			throw this.getRpcError(payload, { id: 0, error: problem });
		}
	}

	/** Not called: `send` takes its place. */
	override async _send(): Promise<(JsonRpcResult | JsonRpcError)[]> {
		throw new Error('Requests go through send');
	}
}
