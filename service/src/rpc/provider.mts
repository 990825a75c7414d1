import { JsonRpcApiProvider, Network } from 'ethers';
import type { JsonRpcError, JsonRpcPayload, JsonRpcResult } from 'ethers';
import { AnswerTooLong, OF_CONTRACTS, RpcError } from './client.mts';
import type { Endpoints } from './endpoints.mts';

/** ethers' reading functions over the endpoints. Nothing is sent through it, and nothing is cached. */
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
			const isOfContract = error instanceof RpcError && OF_CONTRACTS.includes(method);
			if (!isOfContract || error instanceof AnswerTooLong) throw error;
			const payload: JsonRpcPayload = { id: 0, jsonrpc: '2.0', method, params };
			throw this.getRpcError(payload, { id: 0, error: error.problem });
		}
	}

	/** Only a block that an endpoint shows: the number of confirmations follows from it. */
	override async getBlockNumber(): Promise<number> {
		return (await this.#endpoints.newest()).block;
	}

	/** Not called: `send` takes its place. */
	override async _send(): Promise<(JsonRpcResult | JsonRpcError)[]> {
		throw new Error('Requests go through send');
	}
}
