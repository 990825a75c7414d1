import axios from 'axios';
import { startJsonServer } from '../../../tools/network/json-server.mts';
import type { LocalServer } from '../../../tools/network/local-server.mts';

export interface RpcRequest {
	id: number;
	method: string;
	params: unknown[];
}

/**
 * Starts a JSON-RPC endpoint that passes requests on to a real one.
 *
 * @param treat decides what a request is answered; undefined passes it on
 */
export async function startEndpoint(
	rpcUrl: string,
	treat: (request: RpcRequest) => object | Promise<object> | undefined,
): Promise<LocalServer> {
	const answer = async (request: RpcRequest): Promise<object> => {
		const treated = await treat(request);
		if (treated) return { jsonrpc: '2.0', id: request.id, ...treated };
		return (await axios.post(rpcUrl, request)).data;
	};
	return await startJsonServer(async (_path, body) => {
		const asked = body as RpcRequest | RpcRequest[];
		return Array.isArray(asked) ? await Promise.all(asked.map(answer)) : await answer(asked);
	});
}
