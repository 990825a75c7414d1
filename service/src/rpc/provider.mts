import { JsonRpcApiProvider, Network } from 'ethers';
import type { JsonRpcError, JsonRpcPayload, JsonRpcResult } from 'ethers';
import { RpcError } from './client.mts';
import type { Endpoints } from './endpoints.mts';

/** ethers' reading functions over the endpoints. Nothing is sent through it, and nothing is cached. */
export class EndpointProvider extends JsonRpcApiProvider {
	readonly #endpoints: Endpoints;

	constructor(endpoints: Endpoints, name: string) {
		const network = new Network(name, endpoints.identity.chainId);
		super(network, {
			staticNetwork: network,
			batchMaxCount: 1,
			batchStallTime: 0,
			cacheTimeout: -1,
			pollingInterval: 100,
		});
		this.#endpoints = endpoints;
	}

	override async send(method: string, params: JsonRpcPayload['params']): Promise<unknown> {
		this._start();
		return await super.send(method, params);
	}

	override async _send(
		payload: JsonRpcPayload | JsonRpcPayload[],
	): Promise<(JsonRpcResult | JsonRpcError)[]> {
		return await Promise.all([payload].flat().map((one) => this.#answer(one)));
	}

	async #answer({ id, method, params }: JsonRpcPayload): Promise<JsonRpcResult | JsonRpcError> {
		try {
			return { id, result: await this.#endpoints.call(method, params) };
		} catch (error) {
			if (!(error instanceof RpcError)) throw error;
			const { code, message, data } = error.problem;
			return { id, error: { code, message, data } };
		}
	}
}
